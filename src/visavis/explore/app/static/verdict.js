// Whether the groups differ at all: tested when there is time, and said when it is known.

import { askUntilDone, Dropped } from "./api.js";
import { byId } from "./dom.js";
import { asked } from "./state.js";

const show = (kind, headline, detail) => {
  const section = byId("verdict");
  section.className = `verdict ${kind}`;
  byId("verdict-title").textContent = headline;
  byId("verdict-detail").textContent = detail;
};

const waiting = (answer) => {
  const left = answer.left_seconds;
  const time = left === null || left === undefined ? "" : left < 1 ? "; almost done" : `; about ${Math.ceil(left)} s left`;
  show("calm waiting", "Do the groups differ? Being tested …", `The picks are there already; the test shuffles the groups many times${time}.`);
};

const tell = (answer) => {
  if (answer.by_construction) {
    return show("calm", "These sets differ by construction", "They were drawn or searched for, so a test of whether they differ would say nothing: there is no p-value. Picks, words and shares are shown.");
  }
  if (!answer.done) return waiting(answer);
  const { verdict } = answer;
  if (!verdict) return show("calm", "Not tested", answer.stage ?? "");
  show(verdict.outcome === "differ" ? "differ" : "calm", verdict.headline, [verdict.detail, answer.accuracy].filter(Boolean).join(" "));
};

export const followVerdict = async (view) => {
  if (view.by_construction) tell({ by_construction: true });
  else waiting({});
  try {
    await askUntilDone("assess", "/api/assess", asked(), tell);
  } catch (error) {
    if (!(error instanceof Dropped)) show("calm", "Not tested", error.message);
  }
};
