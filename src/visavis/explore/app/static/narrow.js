// Which documents are looked at: by time, by the values of columns, by words, or by an expression of one's own.

import { bdi, button, byId, counted, element } from "./dom.js";
import { joined, quote, readFilter, writeFilter } from "./filters.js";
import { toast } from "./notices.js";
import { change, state as now } from "./state.js";

const MOST_VALUES = 12;

export const dateColumn = (corpus) => corpus.dates?.column ?? "";

export const refilter = (corpus, patch) => {
  const found = readFilter(now().filter, dateColumn(corpus));
  change({ filter: writeFilter({ ...found, ...patch }, dateColumn(corpus)) });
};

// Of what is looked at, only what a filter keeps.
export const lookOnly = (filter) => change({ filter: joined([now().filter, filter]) });

const timeLine = (corpus, found) => {
  if (!found.from && !found.to) return null;
  const said = `${found.from || "the first"} to ${found.to || "the last"}`;
  return element("p", { class: "chosen" }, element("span", { text: said }),
    button("all", () => refilter(corpus, { from: "", to: "" }), { class: "link", "aria-label": "All of the time" }));
};

const wordsField = (corpus, found) => {
  const input = element("input", { id: "holds", type: "search", value: found.text, placeholder: "any word", dir: "auto" });
  input.addEventListener("change", () => {
    const text = input.value.trim();
    if (text && !quote(text)) return toast("A filter cannot hold both kinds of quotation marks");
    refilter(corpus, { text });
  });
  return element("div", { class: "pick-one" }, element("label", { for: "holds", text: "Text holds" }), input);
};

const valueRow = (corpus, column, [value, count], index, chosen) => {
  const id = `value-${corpus.columns.indexOf(column)}-${index}`;
  const toggle = () => {
    const values = readFilter(now().filter, dateColumn(corpus)).values;
    const before = values[column.name] ?? [];
    const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
    refilter(corpus, { values: { ...values, [column.name]: after } });
  };
  return element("li", {}, element("input", { type: "checkbox", id, checked: chosen.includes(value) ? true : undefined, onchange: toggle }),
    element("label", { for: id, dir: "auto" }, bdi(value)), element("span", { class: "n", text: counted(count) }));
};

// Open folds stay open when the list is made anew.
const valuesFold = (corpus, column, found, open) => {
  const chosen = found.values[column.name] ?? [];
  const title = chosen.length ? `${column.name}: ${chosen.length} of ${column.distinct}` : column.name;
  const listed = column.values.filter(([value]) => typeof value === "string" && quote(value)).slice(0, MOST_VALUES);
  const every = { values: { ...found.values, [column.name]: [] } };
  const all = chosen.length ? button("all of them", () => refilter(corpus, every), { class: "link" }) : null;
  return element("details", { "data-column": column.name, open: open.has(column.name) || chosen.length ? true : undefined },
    element("summary", {}, bdi(title)),
    element("ul", { class: "ticks" }, ...listed.map((pair, index) => valueRow(corpus, column, pair, index, chosen))), all);
};

const expressionFold = (corpus, state, open) => {
  const input = element("textarea", { id: "expression", rows: 2, spellcheck: "false", dir: "auto" });
  input.value = state.filter;
  const apply = element("button", { type: "button", text: "Apply", onclick: () => change({ filter: input.value.trim() }) });
  return element("details", { "data-column": " expression", open: open.has(" expression") ? true : undefined },
    element("summary", { text: "An expression of your own" }),
    element("label", { for: "expression", class: "unseen", text: "Filter" }), input, apply);
};

export const showNarrow = (corpus, state) => {
  const root = byId("narrow");
  const open = new Set([...root.querySelectorAll("details[open]")].map((fold) => fold.dataset.column));
  const found = readFilter(state.filter, dateColumn(corpus));
  const canBeNamed = (column) => !column.name.includes("`");
  const columns = corpus.columns.filter((column) =>
    column.kind === "values" && column.distinct > 1 && column.values.length && canBeNamed(column));
  const first = (column) => (column.role === "source" ? 0 : 1);
  columns.sort((one, other) => first(one) - first(other));
  root.replaceChildren(...[byId("narrow-title"), timeLine(corpus, found), wordsField(corpus, found),
    ...columns.slice(0, 6).map((column) => valuesFold(corpus, column, found, open)), expressionFold(corpus, state, open)].filter(Boolean));
};
