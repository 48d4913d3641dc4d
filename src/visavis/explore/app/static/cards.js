// The groups face to face: a column each, with its words and its picks as cards. A card that stays is not made anew.

import { badged, bdi, button, byline, counted, direction, drawing, element, letter, marked, nameOf, plural, titled } from "./dom.js";

const WORDS_SHOWN = 8;
const columnsMade = [];
const made = new Map();  // by group and document: the card and what it shows

export const placeOf = (group, id) => `${group} ${id}`;
export const keyOf = (group, rank) => `${letter(group)}${rank + 1}`;

const bar = ({ label, percent, said }) => {
  const length = Math.max(0, Math.min(100, percent));
  const line = drawing("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawing("rect", { class: "track", width: 100, height: 4 }), drawing("rect", { class: "fill", width: length, height: 4 }));
  return element("div", { title: said }, element("dt", { text: label }),
    element("dd", {}, line, element("span", { text: `${Math.round(percent)} %` })));
};

const bars = (card) => card.bars?.length ? element("dl", { class: "bars" }, ...card.bars.map(bar)) : null;

const why = (card) => {
  if (!card.why?.length) return null;
  const reasons = card.why.map((text) => element("p", { text, dir: "auto" }));
  return element("details", { class: "why" }, element("summary", { text: "Why this one" }), ...reasons);
};

const MARKS = { kept: "kept", new: "new" };
const chip = (mark) => MARKS[mark] ? element("span", { class: `chip ${mark}`, text: MARKS[mark] }) : null;

const deeds = (card, key, act) => element("div", { class: "deeds" },
  button(card.pinned ? "Pinned" : "Pin", () => act.pin(card),
    { class: "pin", "data-deed": "pin", "aria-pressed": String(Boolean(card.pinned)), "aria-label": `Pin ${key}` }),
  button("Not this one", () => act.ban(card), { class: "ban", "data-deed": "ban", "aria-label": `Not this one: ${key}` }));

const stands = (card, act) => card.stands_for?.count
  ? button(card.stands_for.said, () => act.open(card.id, "stands"), { class: "stands", "data-deed": "stands" })
  : null;

const makeCard = (card, mark, group, rank, act) => {
  const key = keyOf(group, rank);
  const title = titled(card, act.open, { class: "title", "data-deed": "open" });
  const data = { "data-id": card.id, "data-place": placeOf(group, card.id), "data-row": card.row };
  const node = element("article", { class: `card ${mark ?? ""}`, id: `pick-${key}`, ...data },
    element("h4", { dir: direction(card.title) }, element("span", { class: "rank", text: key }), title),
    element("div", { class: "under" }, byline(card), chip(mark)),
    card.snippet?.length ? element("p", { class: "snippet", dir: "auto" }, ...marked(card.snippet)) : null,
    bars(card), stands(card, act), why(card), deeds(card, key, act));
  node.addEventListener("pointerenter", () => act.point(card.row));
  node.addEventListener("pointerleave", () => act.point(-1));
  return node;
};

const cardOf = (card, mark, group, rank, act, used) => {
  const place = placeOf(group, card.id);
  const shows = JSON.stringify([card, mark, rank]);
  const old = made.get(place);
  used.add(place);
  if (old?.shows === shows) return old.node;
  const node = makeCard(card, mark, group, rank, act);
  const open = old?.node.querySelector("details.why")?.open ?? old?.open ?? false;  // an instant card has no reasons to unfold
  node.querySelector("details.why")?.toggleAttribute("open", open);
  made.set(place, { shows, node, open });
  return node;
};

const word = ({ term, share, count }, act) => element("li", {},
  element("button", { type: "button", title: "Show the documents that hold it", onclick: () => act.search(term) },
    bdi(term), " ", element("small", { text: `${Math.round(share * 100)} % (${counted(count)})` })));

const header = (group, index, picked, act) => element("header", {},
  element("h3", { dir: "auto" }, ...badged(index, nameOf(group))),
  element("p", { class: "count", text: `${plural(group.count, "document")}, ${plural(picked, "pick")}` }),
  group.words.length
    ? element("ul", { class: "words", "aria-label": "Words more frequent in the group" },
      ...group.words.slice(0, WORDS_SHOWN).map((found) => word(found, act)))
    : null);

const gone = (lost, act) => lost.length
  ? element("div", { class: "gone" }, element("p", { text: "Gone" }), element("ul", {}, ...lost.map((card) =>
    element("li", { dir: direction(card.title) }, element("s", {}, titled(card, act.open, { class: "lost", "data-id": card.id }))))))
  : null;

// Focus stays where it was, though the card below it be made anew.
const keepFocus = (root, change) => {
  const active = document.activeElement;
  const card = root.contains(active) ? active.closest(".card") : null;
  const [place, deed] = [card?.dataset.place, active?.dataset?.deed];
  change();
  if (!card || document.contains(active)) return;
  const again = [...root.querySelectorAll(".card")].find((node) => node.dataset.place === place) ?? root;
  (again.querySelector(`[data-deed="${deed}"]`) ?? again.querySelector(".title"))?.focus({ preventScroll: true });
};

// The children of a node become these: what is there already is left alone, so that little is laid out anew.
const place = (node, children) => {
  for (const old of [...node.children]) if (!children.includes(old)) old.remove();
  children.forEach((child, at) => { if (node.children[at] !== child) node.insertBefore(child, node.children[at] ?? null); });
};

const columnOf = (group, index, picked, act) => {
  const shows = JSON.stringify([group, picked]);
  const old = columnsMade[index];
  if (old?.shows === shows) return old.node;
  const node = element("section", { class: `column g${index}`, "aria-label": nameOf(group) }, header(group, index, picked, act));
  columnsMade[index] = { shows, node };
  return node;
};

export const showColumns = (root, view, answer, act) => {
  const used = new Set();
  const columns = view.groups.map((group, index) => {
    const found = answer?.groups[index] ?? { picks: [], gone: [] };
    const cards = found.picks.map((card, rank) => cardOf(card, card.mark, index, rank, act, used));
    const none = answer && !cards.length ? element("p", { class: "none", text: "No document was picked for this group." }) : null;
    const column = columnOf(group, index, cards.length, act);
    place(column, [column.firstChild, none, ...cards, gone(found.gone ?? [], act)].filter(Boolean));
    return column;
  });
  keepFocus(root, () => place(root, columns));
  root.className = `columns n${columns.length}`;
  for (const place of made.keys()) if (!used.has(place)) made.delete(place);
};
