// One document on a sheet at the side: its whole text, what it stands for, and why it was or was not picked.

import { ask, Dropped } from "./api.js";
import { bdi, button, byId, byline, counted, direction, element, fill, marked, plural, safeAddress, titled } from "./dom.js";
import { asked, state } from "./state.js";

const query = (id) => `${asked()}&${new URLSearchParams({ id })}`;

const heading = (found) => {
  const url = safeAddress(found.url);
  const title = bdi(found.title || found.id);
  return element("h2", { id: "sheet-title", dir: direction(found.title), tabindex: -1 },
    url ? element("a", { href: url, rel: "noopener noreferrer nofollow", target: "_blank" }, title) : title);
};

const facts = (found) => {
  const entries = Object.entries(found.more ?? {}).filter(([, value]) => value !== null && value !== "");
  const row = ([name, value]) => element("div", {}, element("dt", {}, bdi(name)), element("dd", { dir: "auto", text: String(value) }));
  return entries.length ? element("dl", { class: "facts" }, ...entries.map(row)) : null;
};

const listed = (item, open) => element("li", {}, titled(item, open), byline(item));

const standsFor = (found, open) => found.total
  ? element("section", { id: "stands" }, element("h3", { text: `Stands for ${plural(found.total, "document")}` }),
    element("ul", { class: "names" }, ...found.documents.map((item) => listed(item, open)),
      found.total > found.documents.length ? element("li", { text: `and ${counted(found.total - found.documents.length)} more` }) : null))
  : null;

const askWhyNot = async (id, room) => {
  room.textContent = "Asking…";
  try {
    const found = await ask("whynot", "/api/whynot", query(id));
    room.textContent = [found.reason, found.reason === found.said ? "" : found.said].filter(Boolean).join(" ");
  } catch (error) {
    if (!(error instanceof Dropped)) room.textContent = error.message;
  }
};

const deeds = (found, act, isPick) => {
  const pinned = state().pin.includes(found.id);
  const banned = state().ban.includes(found.id);
  const answer = element("p", { class: "answered", role: "status", dir: "auto" });
  const why = element("button", { type: "button", id: "whynot", text: "Why not this one?", onclick: () => askWhyNot(found.id, answer) });
  return [element("div", { class: "deeds" },
    button(pinned ? "Pinned" : "Pin it", () => act.pin(found), { "aria-pressed": String(pinned) }),
    button(banned ? "Left out" : "Leave it out", () => act.ban(found), { "aria-pressed": String(banned) }),
    isPick ? null : why), answer];
};

export const makeSheet = (act) => {
  const dialog = byId("sheet");
  const close = () => dialog.close();
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });

  const open = async (id, part = "") => {
    try {
      const found = await ask("document", "/api/document", query(id));
      const isPick = act.isPick(id);
      const column = act.groupOf(found);
      const close_ = element("button", { type: "button", class: "close", "aria-label": "Close", text: "×", onclick: close });
      const text = found.paragraphs.map((pieces) => element("p", { class: "text", dir: "auto" }, ...marked(pieces)));
      const body = element("div", { class: `page ${column >= 0 ? `g${column}` : ""}` },
        heading(found), byline(found), ...deeds(found, act, isPick), ...text, facts(found));
      fill(dialog, close_, body);
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
      byId("sheet-title").focus({ preventScroll: true });
      if (!isPick) return;
      const stands = standsFor(await ask("stands", "/api/stands", query(id)), open);
      if (stands) body.append(stands);
      if (stands && part === "stands") stands.scrollIntoView({ block: "start" });
    } catch (error) {
      act.fail(error);
    }
  };
  return { open, close };
};
