// The picks, three times over: at once by the page itself, then the server's quick ones, then those of the method asked
// for. A later stage replaces an earlier one, never the other way round, and an answer to an older question is dropped.

import { ask, Dropped, drop } from "./api.js";
import { placeOf } from "./cards.js";
import { asked, MOVES } from "./state.js";

const RANK = { instant: 1, quick: 2, refined: 3 };
const SETTLED = 220;  // ms without a move before a slower method is asked

const problemKey = (state, viewKey) => {
  const still = MOVES.map((name) => [name, Array.isArray(state[name]) ? [] : ""]);
  return viewKey + asked({ ...state, ...Object.fromEntries(still) });
};

// A card as it can be shown under any setting: its reasons, and what it stands for, come with the server's picks.
const liveCard = (candidate, known, pinned) => ({
  ...candidate, ...known, pinned, why: [], stands_for: null,
  bars: [["Typical", candidate.typical], ["Distinct", candidate.distinct]].filter(([, percent]) => Number.isFinite(percent))
    .map(([label, percent]) => ({ label, percent, said: label })),
});

const wholeNumber = (text) => (/^\d+$/.test(text) ? Number(text) : null);

// The places among the candidates of what is pinned and banned: a document in several groups has several, and its copies
// are banned with it. Null where a pin is no candidate.
const steered = (live, state) => {
  const numbers = (isMeant) => live.data.candidates.flatMap((candidate, number) => (isMeant(candidate) ? [number] : []));
  const own = state.pin.map((id) => numbers((candidate) => candidate.id === id));
  if (own.some((found) => !found.length)) return null;
  const families = new Set(live.data.candidates.filter(({ id }) => state.ban.includes(id)).map(({ family }) => family));
  return { pins: own.flat(), bans: numbers(({ family }) => families.has(family)) };
};

// What the page itself picks, or null where it cannot.
export const reselectNow = (live, state, defaults, cards) => {
  const size = wholeNumber(state.size || String(defaults.size));
  if (!live || !size || !globalThis.visavisReselect) return null;
  const steering = steered(live, state);
  if (!steering) return null;
  const contrast = Number(state.contrast || defaults.contrast);
  const found = globalThis.visavisReselect.reselect(live.problem, { contrast, sizes: size, ...steering });
  return {
    stage: "instant",
    groups: found.picks.map((picks, group) => ({
      picks: picks.map((number) => {
        const candidate = live.data.candidates[number];
        return liveCard(candidate, cards.get(placeOf(group, candidate.id)), state.pin.includes(candidate.id));
      }),
    })),
  };
};

export const makePicks = ({ show, busy, fail }) => {
  let [turn, rank, timer] = [0, 0, 0];
  let [live, liveKey] = [null, ""];
  const cards = new Map();  // the last card of each document in each group, for the stages that know less of it

  const loadLive = async (state, viewKey) => {
    const key = problemKey(state, viewKey);
    if (key === liveKey) return;
    [live, liveKey] = [null, key];
    const data = await ask("live", "/api/live", asked(state));
    if (liveKey !== key || !data.candidates || data.key !== viewKey) return;
    live = { data, problem: globalThis.visavisReselect.decode(data) };
  };

  const remember = (answer) => answer.groups.forEach((group, index) => {
    for (const card of group.picks) cards.set(placeOf(index, card.id), card);
  });

  const offer = (mine, stage, answer) => {
    if (mine !== turn || RANK[stage] <= rank) return;
    rank = RANK[stage];
    if (stage !== "instant") remember(answer);
    show({ ...answer, stage });
  };

  const ask_ = async (mine, stage, query) => {
    try {
      const waiting = (answer) => { if (mine === turn) busy(answer.stage ?? "searching"); };
      offer(mine, stage, await ask(stage, "/api/picks", query, { waiting }));
    } catch (error) {
      if (mine === turn && !(error instanceof Dropped)) fail(error);
    }
  };

  return {
    // `isQuick` tells whether the method asked for is itself the quick one.
    follow(state, { defaults, isQuick, dragging, viewKey }) {
      const mine = ++turn;
      rank = 0;
      clearTimeout(timer);
      drop("refined");
      const now = problemKey(state, viewKey) === liveKey ? reselectNow(live, state, defaults, cards) : null;
      if (now) offer(mine, "instant", now);
      const query = asked(state);
      ask_(mine, isQuick ? "refined" : "quick", isQuick ? query : `${query}&quick=1`);
      if (!isQuick) timer = setTimeout(() => ask_(mine, "refined", query), dragging ? SETTLED : 0);
      this.prepare(state, viewKey);
    },
    // What the page needs to answer by itself is asked for once for a view.
    prepare(state, viewKey) { loadLive(state, viewKey).catch(() => { liveKey = ""; }); },
    forget() { cards.clear(); [live, liveKey] = [null, ""]; },
    stop() { turn++; clearTimeout(timer); for (const kind of ["quick", "refined", "live"]) drop(kind); },
  };
};
