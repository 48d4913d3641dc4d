// Named sets, drawn on a map or found by a search: kept in the address, compared like groups. A set is written
// NAME~search~WORDS or NAME~lasso~x,y,x,y,…~QUERY, where QUERY says on which map it was drawn.

import { bdi, button, byId, counted, element, fill, plural } from "./dom.js";
import { change, state } from "./state.js";

const parse = (text) => {
  const [name, kind, ...rest] = text.split("~");
  if (kind === "lasso") return { name, kind, what: rest[0] ?? "", drawnOn: rest[1] ?? "", text };
  return { name, kind, what: rest.join("~"), text };
};

export const sets = () => state().set.map(parse);

export const cleanName = (text) => text.replaceAll(/[~=,\s]+/gu, " ").trim().slice(0, 40);

const unusedName = () => {
  const taken = new Set(sets().map((set) => set.name));
  let number = 1;
  while (taken.has(`Set ${number}`)) number++;
  return `Set ${number}`;
};

export const addSet = (name, kind, what) => {
  const others = state().set.filter((text) => parse(text).name !== name);
  change({ set: [...others, `${name}~${kind}~${what}`] });
};

// Asks how a set is to be called; resolves with the name, or null.
export const askName = (said, suggested = unusedName()) => new Promise((resolve) => {
  const dialog = byId("naming");
  const input = element("input", { id: "set-name", value: suggested, maxlength: 40, dir: "auto", required: true });
  const form = element("form", { method: "dialog" },
    element("h2", { id: "naming-title", text: "Keep as a set" }), element("p", { class: "note", text: said }),
    element("label", { for: "set-name", text: "Name" }), input,
    element("div", { class: "deeds" }, element("button", { type: "submit", class: "primary", value: "keep", text: "Keep" }),
      element("button", { type: "button", text: "Cancel", onclick: () => dialog.close("") })));
  fill(dialog, form);
  dialog.returnValue = "";
  const tell = () => resolve((dialog.returnValue === "keep" && cleanName(input.value)) || null);
  dialog.addEventListener("close", tell, { once: true });
  dialog.showModal();
  input.select();
});

const sizeOf = (view, name) => view?.sets?.find((set) => set.name === name)?.count;

const forget = (set) => {
  const rest = state().set.filter((text) => text !== set.text);
  change({ set: rest, compare_sets: rest.length > 1 ? state().compare_sets : "" });
};

const setRow = (set, view, show) => {
  const count = sizeOf(view, set.name);
  return element("li", {},
    element("button", { type: "button", class: "link", dir: "auto", title: "Show on the map", onclick: () => show(set) }, bdi(set.name)),
    element("span", { class: "n", text: `${set.kind === "lasso" ? "drawn" : "found"}${count === undefined ? "" : `, ${counted(count)}`}` }),
    button("×", () => forget(set), { class: "link remove", "aria-label": `Forget ${set.name}` }));
};

export const overlapSaid = (view) => {
  const overlap = view?.overlap;
  if (sets().length < 2 || !Number.isFinite(overlap)) return "";
  return overlap ? `${plural(overlap, "document")} in more than one set.` : "No document is in more than one set.";
};

export const showSets = (view, show) => {
  const found = sets();
  const on = state().compare_sets === "1";
  const rows = found.map((set) => setRow(set, view, show));
  const toggle = button(on ? "Back to the groups" : "Compare the sets", () => change({ compare_sets: on ? "" : "1" }),
    { class: on ? "" : "primary" });
  const compare = found.length > 1 ? toggle : null;
  const hint = found.length === 1 ? element("p", { class: "note", text: "One more set, and the two can be compared." })
    : found.length ? null : element("p", { class: "note", text: "Search, or draw on the map, and keep what you find as a set." });
  fill(byId("set-list"), rows.length ? element("ul", { class: "sets" }, ...rows) : null,
    overlapSaid(view) ? element("p", { class: "note", text: overlapSaid(view) }) : null, compare, hint);
};
