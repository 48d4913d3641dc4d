// What is moved most: contrast and size. Both stay at hand while the page is scrolled.

import { byId, element, fill } from "./dom.js";
import { change, rest } from "./state.js";

const MOST_PICKS = 16;
const PAUSE = 700;  // ms within which several strokes of a key are one step back

const end = (text) => element("span", { text, "aria-hidden": "true" });

const slider = (id, label, ends, range, told, name) => {
  const shown = element("output", { for: id });
  const input = element("input", { id, type: "range", ...range });
  let timer = 0;
  const move = (isMoving) => {
    input.setAttribute("aria-valuetext", told(input.value));
    shown.textContent = told(input.value);
    change({ [name]: input.value }, { dragging: true });
    clearTimeout(timer);
    if (!isMoving) timer = setTimeout(rest, PAUSE);
  };
  input.addEventListener("input", () => move(true));
  input.addEventListener("change", () => move(false));
  const node = element("div", { class: "slide" },
    element("label", { for: id }, label, " ", shown),
    element("div", { class: "ends" }, end(ends[0]), input, end(ends[1])));
  const set = (value) => {
    if (document.activeElement !== input || input.value !== value) input.value = value;
    input.setAttribute("aria-valuetext", told(value));
    shown.textContent = told(value);
  };
  return { node, set };
};

export const makeDial = () => {
  const contrast = slider("contrast", "Contrast", ["typical", "distinct"], { min: 0, max: 0.99, step: 0.01 },
    (value) => Number(value).toFixed(2), "contrast");
  const size = slider("size", "Picks a group", ["1", String(MOST_PICKS)], { min: 1, max: MOST_PICKS, step: 1 }, (value) => value, "size");
  fill(byId("dial"), contrast.node, size.node, element("p", { class: "stage-now", id: "stage-now" }));
  return {
    show(state, defaults) {
      contrast.set(state.contrast || String(defaults.contrast));
      size.set(state.size || String(defaults.size));
    },
  };
};

export const showStage = (text, kind) => {
  const node = byId("stage-now");
  node.className = `stage-now ${kind}`;
  node.textContent = text;
};
