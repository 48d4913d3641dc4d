// The contrast path: for each document the stretches of contrast in which it is picked, the robust ones first.

import { badged, bdi, direction, drawing, element, fill } from "./dom.js";

const SHOWN = 5;
const shown = new WeakMap();  // the document of each row: one in several groups has several

const reach = (document) => document.intervals.reduce((sum, [from, to]) => sum + to - from, 0);

export const isPickedAt = (document, contrast) => document.intervals.some(([from, to]) => contrast >= from - 1e-9 && contrast <= to + 1e-9);

const said = (document) => document.intervals.map(([from, to]) => `${from.toFixed(2)} to ${to.toFixed(2)}`).join(" and ");

const track = (document) => {
  const line = ([from, to]) => drawing("rect",
    { class: "span", x: from * 100, y: 2.5, width: Math.max(1.2, (to - from) * 100), height: 5, rx: 1 });
  return drawing("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawing("path", { class: "rail-line", d: "M0 5H100" }), ...document.intervals.map(line));
};

const row = (document, open) => {
  const button = element("button", { type: "button", class: "track", title: document.title, "data-id": document.id,
    "aria-label": `${document.title}: picked at contrast ${said(document)}`, onclick: () => open(document.id) },
  element("span", { class: "name", dir: direction(document.title) }, bdi(document.title || document.id)), track(document));
  shown.set(button, document);
  return element("li", {}, button);
};

const block = (group, name, index, open) => {
  const sorted = group.documents.toSorted((one, other) => reach(other) - reach(one));
  const rows = sorted.map((document) => row(document, open));
  const rest = rows.length > SHOWN
    ? element("details", {}, element("summary", { text: `${rows.length - SHOWN} more` }), element("ul", {}, ...rows.slice(SHOWN))) : null;
  return element("div", { class: `g${index} lane` },
    element("h3", { dir: "auto" }, ...badged(index, name)),
    element("ul", {}, ...rows.slice(0, SHOWN)), rest);
};

export const showPath = (root, path, names, open) => {
  const axis = element("div", { class: "axis-line", "aria-hidden": "true" },
    element("span", { text: "0 typical" }), element("span", { text: "distinct 1" }));
  const lanes = path.groups.map((group, index) => block(group, names[index], index, open));
  fill(root, element("div", { class: "lanes" }, ...lanes, element("div", { class: "needle", "aria-hidden": "true" })), axis);
};

// The line at the contrast of now, and the documents it crosses.
export const pointPath = (root, contrast) => {
  root.style.setProperty("--contrast", contrast);
  for (const button of root.querySelectorAll(".track")) button.classList.toggle("now", isPickedAt(shown.get(button), contrast));
};
