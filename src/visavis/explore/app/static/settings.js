// How picks are chosen and texts are read.

import { byId, element } from "./dom.js";
import { select } from "./grouping.js";
import { change } from "./state.js";

const option = (value, text, selected) => element("option", { value, text, selected: selected ? true : undefined });

const leads = ["auto", "1", "2", "3", "5", "10", "all"];
const leadNames = { auto: "auto: more of each if few", all: "the whole text" };
const leadName = (lead) => leadNames[lead] ?? `title and ${lead} sentence${lead === "1" ? "" : "s"}`;

export const showSettings = (corpus, state) => {
  const { defaults, methods, embedders } = corpus;
  const method = state.method || defaults.method;
  const embedder = state.embedder || defaults.embedder;
  const lead = state.lead || String(defaults.lead ?? "all");
  const known = leads.includes(lead) ? leads : [...leads, lead];
  const told = methods.find((each) => each.name === method)?.help;
  const seed = element("input", { id: "seed", type: "number", min: 0, step: 1, value: state.seed || defaults.seed });
  seed.addEventListener("change", () => change({ seed: seed.value }));
  byId("settings").replaceChildren(byId("settings-title"),
    select("method", "Method", methods.map(({ name }) => option(name, name, name === method)), (name) => change({ method: name })),
    ...(told ? [element("p", { class: "note", text: told })] : []),
    select("embedder", "Read by", embedders.map((name) => option(name, name, name === embedder)), (name) => change({ embedder: name })),
    select("lead", "Of each document", known.map((each) => option(each, leadName(each), each === lead)),
      (value) => change({ lead: value })),
    element("div", { class: "pick-one" }, element("label", { for: "seed", text: "Seed" }), seed));
};
