// What is compared with what: the column, the period, and which of its groups.

import { bdi, button, byId, counted, element, letter, nameOf } from "./dom.js";
import { change } from "./state.js";

const PERIODS = ["day", "week", "month", "quarter", "year"];
const PARTS = [2, 3, 4, 5];
const MOST_VALUES = 60;  // a column with more different values makes no groups one could look at

const usable = ({ kind, distinct }) =>
  kind === "date" || kind === "number" || (kind === "values" && distinct > 1 && distinct <= MOST_VALUES);

const isCut = (text) => PERIODS.includes(text) || /^(?:quantiles|spans)=/u.test(text);

// The column and how it is cut; a column's own name may hold a colon.
export const split = (by, columns) => {
  const at = by.lastIndexOf(":");
  if (at < 0 || columns.some(({ name }) => name === by) || !isCut(by.slice(at + 1))) return [by, ""];
  return [by.slice(0, at), by.slice(at + 1)];
};

const option = (value, text, selected) => element("option", { value, text, selected: selected ? true : undefined });

export const select = (id, label, options, act) => {
  const input = element("select", { id }, ...options);
  input.addEventListener("change", () => act(input.value));
  return element("div", { class: "pick-one" }, element("label", { for: id, text: label }), input);
};

const finer = (column, chosen) => {
  if (column?.kind === "date") return PERIODS.map((period) => option(period, `by ${period}`, period === chosen));
  const parts = (n) => option(`quantiles=${n}`, `${n} equal parts`, chosen === `quantiles=${n}`);
  if (column?.kind === "number") return [option("", "each value", !chosen), ...PARTS.map(parts)];
  return [];
};

const fresh = { group: [], only: [], versus: "", compare_sets: "" };

const groupRow = (choice, index, shown, toggle) => {
  const place = shown.indexOf(choice.name);
  const id = `group-${index}`;
  const box = element("input", { type: "checkbox", id, checked: place >= 0, onchange: () => toggle(choice.name) });
  return element("li", { class: place >= 0 ? `g${place}` : "off" }, box,
    element("label", { for: id }, element("span", { class: "badge", text: place >= 0 ? letter(place) : "–" }), bdi(nameOf(choice))),
    element("span", { class: "n", text: counted(choice.count) }));
};

const toggled = (choices, shown, name) => {
  const next = shown.includes(name) ? shown.filter((other) => other !== name) : [...shown, name];
  const ordered = choices.map((choice) => choice.name).filter((each) => next.includes(each));
  return ordered.length === choices.length ? [] : ordered;
};

const groupList = (view, state) => {
  const choices = view.choices;
  const shown = view.groups.map((group) => group.name);
  const ticked = state.versus ? choices.map((choice) => choice.name) : shown;
  const toggle = (name) => change({ only: toggled(choices, ticked, name), versus: "" });
  const rows = choices.map((choice, index) => groupRow(choice, index, shown, toggle));
  const versus = select("versus", "Against", [option("", "each other", !state.versus),
    ...choices.map((choice) => option(choice.name, `${nameOf(choice)} against the rest`, choice.name === state.versus))],
  (name) => change({ versus: name, only: [] }));
  const list = element("ul", { class: "ticks", "aria-label": "Groups to compare" }, ...rows);
  return choices.length > 2 || state.versus ? [list, versus] : [list];
};

export const showGrouping = (corpus, view, state) => {
  const by = state.by || new URLSearchParams(corpus.suggested ?? "").get("by") || "";
  const [name, period] = split(by, corpus.columns);
  const column = corpus.columns.find((each) => each.name === name);
  const columns = corpus.columns.filter((each) => usable(each) || each.name === name);
  const choose = (chosen) => {
    const kind = corpus.columns.find((each) => each.name === chosen)?.kind;
    change({ ...fresh, by: kind === "date" ? `${chosen}:month` : kind === "number" ? `${chosen}:quantiles=2` : chosen });
  };
  const choices = finer(column, period);
  const parts = [byId("grouping-title"),
    element("div", { class: "row" },
      select("by", "Column", columns.map((each) => option(each.name, each.name, each.name === name)), choose),
      choices.length ? select("period", "Cut", choices, (cut) => change({ ...fresh, by: cut ? `${name}:${cut}` : name })) : null)];
  if (view && !state.compare_sets) parts.push(...groupList(view, state));
  const back = button("Back to the groups", () => change({ compare_sets: "" }), { class: "link" });
  if (state.compare_sets) parts.push(element("p", { class: "note" }, "The sets are compared. ", back));
  byId("grouping").replaceChildren(...parts.filter(Boolean));
};
