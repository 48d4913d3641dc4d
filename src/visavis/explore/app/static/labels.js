// What is written on the map: the words of its regions, and the picks' names beside their points.

import { toScreen } from "./camera.js";
import { bdi, element } from "./dom.js";

const overlaps = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const box = (left, top, width, height) =>
  ({ left: left - width / 2, right: left + width / 2, top: top - height / 2, bottom: top + height / 2 });

const TAG = [28, 18];  // pixels of a pick's name
const AROUND = [[0, -19], [0, 19], [24, 0], [-24, 0], [22, -16], [-22, -16], [22, 16], [-22, 16]];  // where it may stand

const isOff = (camera, left, top) => left < 0 || top < 0 || left > camera.width || top > camera.height;

const move = (node, left, top) => {
  node.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px) translate(-50%, -50%)`;
};

const kept = (camera, left, width) => Math.min(camera.width - width / 2 - 4, Math.max(width / 2 + 4, left));

export const makeLabels = (field) => {
  const layer = element("div", { class: "labels", "aria-hidden": "true" });
  field.append(layer);
  let themes = [];
  const tags = new Map();

  const placeThemes = (camera, taken) => {
    for (const theme of themes) {
      const [left, top] = toScreen(camera, theme.x, theme.y);
      theme.width ||= theme.node.offsetWidth;
      const inside = kept(camera, left, theme.width);
      const room = box(inside, top, theme.width, 22);
      theme.node.hidden = isOff(camera, left, top) || taken.some((other) => overlaps(other, room));
      if (!theme.node.hidden) taken.push(room);
      move(theme.node, inside, top);
    }
  };

  const tagOf = (pick) => {
    if (!tags.has(pick.key)) {
      const node = element("span", { class: `tag g${pick.group}`, text: pick.key });
      layer.append(node);
      tags.set(pick.key, node);
    }
    return tags.get(pick.key);
  };

  const placePicks = (camera, picks, taken) => {
    const used = new Set();
    for (const pick of picks) {
      const node = tagOf(pick);
      const [left, top] = toScreen(camera, pick.x, pick.y);
      const isFree = ([x, y]) => !isOff(camera, x, y - 8) && !taken.some((other) => overlaps(other, box(x, y, ...TAG)));
      const spot = AROUND.map(([x, y]) => [kept(camera, left + x, TAG[0]), top + y]).find(isFree);
      node.hidden = isOff(camera, left, top) || !spot;
      if (!node.hidden) { taken.push(box(...spot, ...TAG)); move(node, ...spot); }
      used.add(pick.key);
    }
    for (const [key, node] of tags) if (!used.has(key)) { node.remove(); tags.delete(key); }
  };

  return {
    themes(found) {
      for (const theme of themes) theme.node.remove();
      themes = found.map((theme) => ({ ...theme, width: 0, node: element("span", { class: "theme" }, bdi(theme.label)) }));
      layer.append(...themes.map((theme) => theme.node));
    },
    place(camera, picks) {
      const taken = picks.map((pick) => box(...toScreen(camera, pick.x, pick.y), 18, 18));
      placePicks(camera, picks, taken);
      placeThemes(camera, taken);
    },
  };
};
