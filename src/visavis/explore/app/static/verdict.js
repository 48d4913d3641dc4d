// Whether the groups differ at all: tested when there is time, and said when it is known.

import { askUntil, Dropped } from "./api.js";
import { byId } from "./dom.js";
import { asked } from "./state.js";

const show = (kind, headline, detail, accuracy = "") => {
  const section = byId("verdict");
  section.className = `verdict ${kind}`;
  byId("verdict-title").textContent = headline;
  byId("verdict-detail").textContent = detail;
  byId("accuracy").textContent = accuracy;
  byId("verdict-more").hidden = !accuracy;
};

let known = null;  // what was last found of the groups on the page

const waiting = (answer) => {
  const left = answer.left_seconds;
  const time = left === null || left === undefined ? "" : left < 1 ? "; almost done" : `; about ${Math.ceil(left)} s left`;
  if (known) return show(`${known.kind} again`, known.headline, known.detail, `Being measured for the new picks${time}.`);
  show("calm waiting", "Do the groups differ? Being tested …",
    `The picks are there already; the test shuffles the groups many times${time}.`);
};

const byConstruction = () => show("calm", "These sets differ by construction",
  "They were drawn or searched for, so a test of whether they differ would say nothing: there is no p-value. "
  + "Picks, words and shares are shown.");

const tell = (answer) => {
  if (answer.by_construction) return byConstruction();
  if (!answer.done) return waiting(answer);
  const { verdict } = answer;
  if (!verdict) return show("calm", "Not tested", answer.stage ?? "");
  known = { kind: verdict.outcome === "differ" ? "differ" : "calm", headline: verdict.headline, detail: verdict.detail };
  show(known.kind, known.headline, known.detail, answer.accuracy ?? "");
};

// Other groups: what was found of the last ones holds no more.
export const forgetVerdict = (view) => {
  known = null;
  if (view.by_construction) byConstruction();
  else waiting({});
};

export const followVerdict = async () => {
  try {
    await askUntil("assess", "/api/assess", asked(), (answer) => { tell(answer); return answer.done; });
  } catch (error) {
    if (!(error instanceof Dropped)) show("calm", "Not tested", error.message);
  }
};
