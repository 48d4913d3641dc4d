// Documents over time, and the stretch of it one looks at: drawn with the pointer or moved by keys.

import { button, byId, counted, drawing, element, fill, nameOf } from "./dom.js";
import { tip, untip } from "./notices.js";

const HIGH = 100;
const DAY = 86400000;
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 6, PageDown: -6, Home: -Infinity, End: Infinity };

const iso = (moment) => new Date(moment).toISOString().slice(0, 10);
export const dayBefore = (day) => iso(Date.parse(day) - DAY);

// Which periods a range of days covers: from the first to past the last.
export const periodsOf = (starts, from, to) => {
  const first = from ? starts.findLastIndex((day) => day <= from) : 0;
  const past = to ? starts.findIndex((day) => day > to) : starts.length;
  return [Math.max(0, first), past < 0 ? starts.length : past];
};

// The days of some periods; an open end where they reach to the edge.
export const daysOf = (starts, first, past) => ({
  from: first <= 0 ? "" : starts[first],
  to: past >= starts.length ? "" : dayBefore(starts[past]),
});

const rects = (heights, bottoms, scale) => heights
  .map((height, at) => height ? `M${at + 0.06} ${HIGH - (bottoms[at] + height) * scale}h0.88v${height * scale}h-0.88z` : "").join("");

const chart = (volume) => {
  const length = volume.starts.length;
  const largest = Math.max(1, ...volume.all, ...volume.starts.map((_, at) => volume.counts.reduce((sum, counts) => sum + counts[at], 0)));
  const scale = (HIGH - 4) / largest;
  const bottoms = new Array(length).fill(0);
  const bars = volume.counts.map((counts, group) => {
    const path = drawing("path", { class: `bars g${group}`, d: rects(counts, bottoms, scale) });
    counts.forEach((count, at) => { bottoms[at] += count; });
    return path;
  });
  const all = drawing("path", { class: "all", d: rects(volume.all, new Array(length).fill(0), scale) });
  return drawing("svg", { viewBox: `0 0 ${length} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" }, all, ...bars,
    drawing("path", { class: "base", d: `M0 ${HIGH}H${length}` }));
};

const told = (volume, groups, at) => {
  const line = (group, index) => `${nameOf(group)}: ${counted(volume.counts[index][at])}`;
  const lines = groups.map(line).filter((_, index) => volume.counts[index][at]);
  return [`${volume.labels[at]}: ${counted(volume.all[at])}`, ...lines].join("\n");
};

const handle = (name, label, move) => element("div", { class: `handle ${name}`, role: "slider", tabindex: 0, "aria-label": label,
  onkeydown: (event) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  } });

const placeHandle = (node, at, length, text) => {
  node.style.left = `${(100 * at) / length}%`;
  const values = { valuemin: 0, valuemax: length, valuenow: at, valuetext: text };
  for (const [name, value] of Object.entries(values)) node.setAttribute(`aria-${name}`, value);
};

const watchDrag = (root, length, { preview, done, hover }) => {
  let begun = null;
  const at = (event) => {
    const box = root.getBoundingClientRect();
    return Math.min(length, Math.max(0, ((event.clientX - box.left) / box.width) * length));
  };
  const span = (event) => {
    const [low, high] = [Math.min(begun, at(event)), Math.max(begun, at(event))];
    return [Math.floor(low), Math.max(Math.floor(low) + 1, Math.ceil(high))];
  };
  root.onpointerdown = (event) => {
    if (event.button || event.target.closest(".handle")) return;
    begun = at(event);
    root.setPointerCapture(event.pointerId);
  };
  root.onpointermove = (event) => {
    hover(Math.min(length - 1, Math.floor(at(event))), event);
    if (begun !== null) preview(...span(event));
  };
  root.onpointerup = (event) => {
    if (begun === null) return;
    const found = span(event);
    begun = null;
    done(...found);
  };
  root.onpointercancel = () => { begun = null; };
  root.onpointerleave = untip;
};

// `choose` is told the first and the last day, "" where the range is open.
export const showBrush = (volume, groups, { from, to }, choose) => {
  byId("volume").hidden = !volume || volume.starts.length < 2;
  if (byId("volume").hidden) return;
  const { starts, labels } = volume;
  const root = byId("brush");
  let [first, past] = periodsOf(starts, from, to);
  const window = element("div", { class: "window" });
  const place = () => {
    window.style.left = `${(100 * first) / starts.length}%`;
    window.style.width = `${(100 * (past - first)) / starts.length}%`;
    placeHandle(left, first, starts.length, labels[first]);
    placeHandle(right, past, starts.length, labels[past - 1]);
    const isNarrowed = first > 0 || past < starts.length;
    root.classList.toggle("narrowed", isNarrowed);
    fill(byId("range"), isNarrowed && element("bdi", { text: `${labels[first]} – ${labels[past - 1]}` }),
      isNarrowed && button("all of the time", () => choose({ from: "", to: "" }), { class: "link" }));
  };
  const settle = () => choose(daysOf(starts, first, past));
  const left = handle("from", "From", (by) => { first = Math.min(past - 1, Math.max(0, first + by)); place(); settle(); });
  const right = handle("to", "To", (by) => { past = Math.max(first + 1, Math.min(starts.length, past + by)); place(); settle(); });
  const focused = root.contains(document.activeElement) && document.activeElement.className;
  const edge = (text, kind) => element("p", { class: kind, text });
  fill(root, chart(volume), window, left, right, edge(labels[0], "edge"), edge(labels.at(-1), "edge last"));
  watchDrag(root, starts.length, {
    preview: (low, high) => { [first, past] = [low, high]; place(); },
    done: (low, high) => { [first, past] = [low, high]; place(); settle(); },
    hover: (at, event) => tip(told(volume, groups, at), event.clientX, event.clientY),
  });
  place();
  if (focused) (focused.includes("from") ? left : right).focus();
};
