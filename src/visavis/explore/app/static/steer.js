// Pins and bans. A ban tells what the next best costs, and can be undone at once.

import { ask, Dropped } from "./api.js";
import { say, toast } from "./notices.js";
import { asked, change, state, undo } from "./state.js";

const short = (title) => (title.length > 70 ? `${title.slice(0, 68)}…` : title);

export const togglePin = ({ id, title }) => {
  const { pin, ban } = state();
  const isPinned = pin.includes(id);
  change({ pin: isPinned ? pin.filter((each) => each !== id) : [...pin, id], ban: ban.filter((each) => each !== id) });
  say(isPinned ? `${title} is no longer pinned` : `${title} is pinned`);
};

export const toggleBan = async (card, fail) => {
  const { pin, ban } = state();
  if (ban.includes(card.id)) return change({ ban: ban.filter((each) => each !== card.id) });
  const before = asked({ ...state(), pin: pin.filter((each) => each !== card.id) });
  change({ ban: [...ban, card.id], pin: pin.filter((each) => each !== card.id) });
  toast(`Left out: ${short(card.title || card.id)}`, "Undo", undo);
  try {
    const found = await ask("cost", "/api/cost", `${before}&${new URLSearchParams({ ban: card.id })}`);
    toast(`Left out: ${short(card.title || card.id)}. ${found.said}`, "Undo", undo);
  } catch (error) {
    if (!(error instanceof Dropped)) fail(error);
  }
};
