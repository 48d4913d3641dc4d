// Two settings side by side: one is held, the other goes on being moved; what both pick is marked.

import { ask, Dropped } from "./api.js";
import { badged, byId, element, fill, nameOf, titled } from "./dom.js";
import { asked, change, differing, read, state } from "./state.js";

const NAMES = {
  by: "grouping", only: "groups", versus: "against", set: "sets", compare_sets: "sets", pin: "pins", ban: "left out",
  lead: "lead text",
};

export const hold = () => change({ beside: asked() || "size=" });
export const letGo = () => change({ beside: "" });

const described = (one, other) => {
  const names = differing({ ...one, beside: "" }, { ...other, beside: "" });
  const worth = (value) => (Array.isArray(value) ? value.length || "none" : value || "as by default");
  return names.length ? names.map((name) => `${NAMES[name] ?? name} ${worth(one[name])}`).join(", ") : "the same setting";
};

const list = (answer, shared, said, open) => answer.groups.map((group, index) =>
  element("section", { class: `g${index}` }, element("h4", {}, ...badged(index, said.get(group.name) ?? group.name)),
    element("ol", {}, ...group.picks.map((card) => element("li", { class: shared.has(card.id) ? "both" : "" },
      titled(card, open),
      shared.has(card.id) ? element("span", { class: "chip kept", text: "both" }) : null)))));

const side = (title, told, lists) => element("div", { class: "side" },
  element("h3", { text: title }), element("p", { class: "note", text: told }), ...lists);

const sentence = ({ shared, only_first, only_second }) => {
  const total = shared.length + only_first.length;
  if (!only_first.length && !only_second.length) return "Both settings pick the same documents.";
  const [held, mine] = [only_second.length, only_first.length];
  return `${shared.length} of ${total} picks are shared; ${held} are the held setting's alone, ${mine} this one's.`;
};

export const showBeside = async (now, groups, open, fail) => {
  const held = state().beside;
  byId("beside").hidden = !held;
  byId("hold").setAttribute("aria-pressed", String(Boolean(held)));
  if (!held || !now) return;
  try {
    const other = await ask("beside", "/api/picks", held);
    const found = await ask("shared", "/api/shared", `${asked()}&${new URLSearchParams({ other: held })}`);
    const shared = new Set(found.shared);
    byId("beside-said").textContent = sentence(found);
    const said = new Map(groups.map((group) => [group.name, nameOf(group)]));
    const [mine, its] = [state(), read(held)];
    const lists = (answer) => list(answer, shared, said, open);
    fill(byId("pair"), side("Held", described(its, mine), lists(other)), side("Now", described(mine, its), lists(now)));
  } catch (error) {
    if (!(error instanceof Dropped)) fail(error);
  }
};
