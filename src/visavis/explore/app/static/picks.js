// The picks, three times over: at once by the page itself, then the server's quick ones, then those of the method asked
// for. A later stage replaces an earlier one, never the other way round, and an answer to an older question is dropped.

import { ask, Dropped, drop } from "./api.js";
import { asked, MOVES } from "./state.js";

const RANK = { instant: 1, quick: 2, refined: 3 };
const SETTLED = 220;  // ms without a move before a slower method is asked

const problemKey = (state, viewKey) => {
  const still = MOVES.map((name) => [name, Array.isArray(state[name]) ? [] : ""]);
  return viewKey + asked({ ...state, ...Object.fromEntries(still) });
};

const liveCard = (candidate, pinned) => ({
  ...candidate, pinned, why: [], stands_for: null,
  bars: [["Typical", candidate.typical], ["Distinct", candidate.distinct]].filter(([, percent]) => Number.isFinite(percent))
    .map(([label, percent]) => ({ label, percent, said: label })),
});

const wholeNumber = (text) => (/^\d+$/.test(text) ? Number(text) : null);

// What the page itself picks, or null where it cannot.
export const reselectNow = (live, state, defaults, known) => {
  const size = wholeNumber(state.size || String(defaults.size));
  if (!live || !size || !globalThis.visavisReselect) return null;
  const numbers = (ids) => ids.map((id) => live.numbers.get(id));
  const [pins, bans] = [numbers(state.pin), numbers(state.ban).filter((number) => number !== undefined)];
  if (pins.includes(undefined)) return null;
  const contrast = Number(state.contrast || defaults.contrast);
  const found = globalThis.visavisReselect.reselect(live.problem, { contrast, sizes: size, pins, bans });
  return {
    stage: "instant",
    groups: found.picks.map((picks) => ({
      picks: picks.map((number) => {
        const candidate = live.data.candidates[number];
        return known(candidate.id) ?? liveCard(candidate, pins.includes(number));
      }),
    })),
  };
};

export const makePicks = ({ show, busy, fail }) => {
  let [turn, rank, timer] = [0, 0, 0];
  let [live, liveKey] = [null, ""];
  const cards = new Map();  // the last card of each document, for the stages that know less of it

  const loadLive = async (state, viewKey) => {
    const key = problemKey(state, viewKey);
    if (key === liveKey) return;
    [live, liveKey] = [null, key];
    const data = await ask("live", "/api/live", asked(state));
    if (liveKey !== key || !data.candidates || data.key !== viewKey) return;
    const numbers = new Map(data.candidates.map((candidate, number) => [candidate.id, number]));
    live = { data, numbers, problem: globalThis.visavisReselect.decode(data) };
  };

  const known = (state) => (id) => {
    const card = cards.get(id);
    return card && { ...card, pinned: state.pin.includes(id) };
  };

  const offer = (mine, stage, answer) => {
    if (mine !== turn || RANK[stage] <= rank) return;
    rank = RANK[stage];
    if (stage !== "instant") for (const group of answer.groups) for (const card of group.picks) cards.set(card.id, card);
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
      const now = problemKey(state, viewKey) === liveKey ? reselectNow(live, state, defaults, known(state)) : null;
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
