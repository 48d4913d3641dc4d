// The map in its place on the page: tools, titles under the pointer, sets drawn by hand.

import { ask, Dropped } from "./api.js";
import { badged, button, byId, element, fill, nameOf, plural } from "./dom.js";
import { makeLasso, rowsInside, written } from "./lasso.js";
import { DocumentMap } from "./map.js";
import { say, tip, toast, untip } from "./notices.js";
import { addSet, askName } from "./sets.js";
import { asked, askedMap } from "./state.js";

const KEYS = "arrow keys go from document to document, with Shift from pick to pick, Enter opens one, plus and minus zoom";

const tool = (label, text, act, more = {}) => button(text, act, { "aria-label": label, title: label, ...more });

export const readPoints = (buffer) => {
  const count = new DataView(buffer).getUint32(0, true);
  return {
    x: new Float32Array(buffer, 4, count),
    y: new Float32Array(buffer, 4 + 4 * count, count),
    group: new Uint16Array(buffer, 4 + 8 * count, count),
  };
};

const toPolygon = (text) => {
  const numbers = text.split(",").map(Number);
  return numbers.flatMap((x, at) => (at % 2 ? [] : [[x, numbers[at + 1]]]));
};

const key = (group, index) => element("li", { class: `g${index}` }, ...badged(index, nameOf(group)));

// What is known of the points: titles are asked for when a pointer first comes near them.
const makeTitles = () => {
  const titles = new Map();
  return {
    clear() { titles.clear(); },
    async of(row) {
      if (!titles.has(row)) {
        const found = await ask("titles", "/api/titles", `${asked()}&row=${row}`);
        for (const item of found) titles.set(item.row, item);
      }
      return titles.get(row);
    },
  };
};

const described = (group, item) => {
  const from = [item.source, item.said ?? item.date].filter(Boolean).join(", ");
  return [group && nameOf(group), item.title || item.id, from].filter(Boolean).join("\n");
};

// What the map tells of the point under the pointer, or of that which the keys have come to.
const makeHints = (field, titles, groupOf, { open, fail }) => {
  let hovered = -1;
  const told = (row, item) => described(groupOf(row), item);
  const onHover = async (row, x, y) => {
    field.classList.toggle("over", row >= 0);
    hovered = row;
    if (row < 0) return untip();
    try {
      const item = await titles.of(row);
      if (hovered === row && item) tip(told(row, item), x, y);
    } catch (error) {
      if (!(error instanceof Dropped)) untip();
    }
  };
  const onCursor = async (row, [left, top]) => {
    const item = await titles.of(row).catch(() => null);
    if (!item) return;
    const box = field.getBoundingClientRect();
    tip(told(row, item), box.left + left, box.top + top);
    say(told(row, item));
  };
  const onOpen = async (row) => {
    untip();
    const item = await titles.of(row).catch(fail);
    if (item) open(item.id);
  };
  return { onHover, onCursor, onOpen };
};

// The button that lets a set be drawn.
const makeDrawing = (field, map) => {
  const draw = tool("Draw a set on the map", "Draw a set", () => toggle(!lasso.isOn),
    { id: "draw", "aria-pressed": "false", class: "wide-tool" });
  const toggle = (on) => { lasso.toggle(on); draw.setAttribute("aria-pressed", String(on)); };
  const lasso = makeLasso(field, map, async (polygon) => {
    toggle(false);
    const [rows, drawnOn] = [rowsInside(map.points, polygon), askedMap()];
    map.light(rows);
    const name = rows.length ? await askName(`${plural(rows.length, "document")} drawn around`) : null;
    map.light([]);
    if (name) addSet(name, "lasso", `${written(polygon)}~${drawnOn}`);
  });
  return draw;
};

export const makeMapping = ({ open, fail }) => {
  const [field, titles] = [byId("field"), makeTitles()];
  let groups = [];
  const kind = new URLSearchParams(location.hash.slice(1)).get("map") ?? "auto";
  const hints = makeHints(field, titles, (row) => groups[map.points.group[row]], { open, fail });
  const map = new DocumentMap(field, { kind, ...hints });
  const draw = makeDrawing(field, map);
  field.addEventListener("blur", untip);
  fill(byId("map-tools"), draw, tool("Closer", "+", () => map.zoom(1.6)), tool("Farther", "−", () => map.zoom(1 / 1.6)),
    tool("The whole map", "⤢", () => map.zoom(0)));

  return {
    map,
    async load(view) {
      const points = readPoints(await ask("map", "/api/map", asked(), { binary: true }));
      titles.clear();
      groups = view.groups;
      map.show(points, groups, view.map.themes);
      draw.disabled = Boolean(view.provisional);  // sets are drawn on a map that stays
      field.setAttribute("aria-label", `Map of ${plural(points.x.length, "document")}: ${KEYS}`);
      byId("map-note").textContent = [view.map.note, "Click it to zoom with the wheel."].filter(Boolean).join(" ");
      fill(byId("key"), ...groups.map(key));
    },
    lightSet(set) {
      if (set.drawnOn !== askedMap()) return toast("This set was drawn on another map: its outline does not fit this one");
      map.light(rowsInside(map.points, toPolygon(set.what)));
    },
  };
};
