// The map of all documents: what is drawn, from where it is looked at, and which point is meant.

import * as cameras from "./camera.js";
import { makeCanvas } from "./canvas.js";
import { isDark, mapColors, whenDarknessChanges } from "./colors.js";
import { element } from "./dom.js";
import { watchGestures } from "./gestures.js";
import { makeLabels } from "./labels.js";
import { makeGrid, nearest, toward } from "./near.js";
import { makePoints } from "./points.js";

const REACH = 14;  // pixels between the pointer and the point it means
const [REST, LIT, PICKED, CURSOR] = [0, 1, 2, 3];
const INK = { light: [27, 29, 33], dark: [233, 231, 226] };
const PAGE = { light: [255, 255, 255], dark: [28, 31, 36] };
const OTHERS = [140, 144, 150];

// Points shrink and fade as they grow in number, and grow again as one comes closer.
export const lookOf = (count, scale, someLit) => {
  const crowd = Math.min(1, Math.max(0, Math.log10(Math.max(count, 1) / 300) / 2.8));
  const size = Math.min(14, (9 - 7 * crowd) * Math.sqrt(Math.sqrt(scale)));
  const rest = 0.62 - 0.32 * crowd;
  return { sizes: [size, size + 1.5, 17, 21], opacity: [someLit ? rest * 0.45 : rest, 0.95] };
};

// Null where a canvas was tried in vain and is spoilt for another way of drawing.
const painterFor = (canvas, kind) => {
  if (kind === "canvas") return makeCanvas(canvas);
  try {
    return makePoints(canvas, kind === "webgl");
  } catch {
    return null;
  }
};

// `kind` is webgl, canvas, or auto: WebGL where a graphics card draws it.
export const makeMap = (field, { kind = "auto", onHover = () => {}, onOpen = () => {}, onCursor = () => {} } = {}) => {
  let canvas, painter, frame = 0;
  let [points, groups] = [{ x: new Float32Array(), y: new Float32Array(), group: new Uint16Array() }, []];
  let [marks, picks, lit, cursor] = [new Uint8Array(), [], [], -1];
  let grid = makeGrid(points.x, points.y);
  let camera = cameras.makeCamera();
  const labels = makeLabels(field);

  const begin = (wanted) => {
    canvas?.remove();
    canvas = element("canvas", { class: "points", "aria-hidden": "true" });
    field.prepend(canvas);
    painter = painterFor(canvas, wanted);
    if (!painter) return begin("canvas");
    canvas.addEventListener("webglcontextlost", () => { begin("canvas"); restore(); }, { once: true });
  };

  const restore = () => { resize(); painter.points(points); colorAgain(); markAgain(); };

  const colorAgain = () => {
    const tone = isDark() ? "dark" : "light";
    painter.colors({ groups: mapColors(groups), rest: OTHERS, ink: INK[tone], page: PAGE[tone] });
    redraw();
  };

  const markAgain = () => {
    marks.fill(REST);
    for (const row of lit) marks[row] = LIT;
    for (const pick of picks) if (pick.row < marks.length) marks[pick.row] = PICKED;
    if (cursor >= 0) marks[cursor] = CURSOR;
    painter.marks(marks);
    redraw();
  };

  const draw = () => {
    frame = 0;
    const framed = cursor >= 0 ? [...picks.map((pick) => pick.row), cursor] : picks.map((pick) => pick.row);
    painter.draw({
      ...cameras.slopes(camera), ...lookOf(points.x.length, camera.scale, lit.length > 0), framed,
      width: camera.width, height: camera.height, ratio: canvas.width / camera.width,
    });
    labels.place(camera, picks.map((pick) => ({ ...pick, x: points.x[pick.row], y: points.y[pick.row] })));
  };

  const redraw = () => { frame ||= requestAnimationFrame(draw); };

  const resize = () => {
    const { width, height } = field.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    camera = cameras.fit(camera, width, height);
    redraw();
  };

  const look = (next) => {
    camera = next;
    field.classList.toggle("close", camera.scale > 1);
    redraw();
  };

  const at = (left, top) => {
    const { slopeX, slopeY } = cameras.slopes(camera);
    return nearest(grid, ...cameras.toWorld(camera, left, top), slopeX, -slopeY, REACH);
  };

  const put = (row) => {
    cursor = row;
    if (row >= 0) look(cameras.bringIn(camera, points.x[row], points.y[row]));
    markAgain();
    if (row >= 0) onCursor(row, cameras.toScreen(camera, points.x[row], points.y[row]));
  };

  // By keyboard: to the next point that way, or among the picks alone.
  const step = (direction, amongPicks) => {
    if (!points.x.length) return;
    if (cursor < 0) return put(picks[0]?.row ?? 0);
    const found = toward(grid, cursor, direction, amongPicks ? picks.map((pick) => pick.row) : null);
    if (found >= 0) put(found);
  };

  begin(kind);
  new ResizeObserver(resize).observe(field);
  whenDarknessChanges(colorAgain);
  watchGestures(field, {
    pan: (x, y) => look(cameras.pan(camera, x, y)),
    zoom: (factor, left, top) => look(cameras.zoom(camera, factor, left, top)),
    whole: () => look(cameras.whole(camera)),
    hover: (left, top, x, y) => onHover(at(left, top), x, y),
    press: (left, top) => { const row = at(left, top); if (row >= 0) onOpen(row); },
    step, leave: () => { cursor = -1; markAgain(); },
    open: () => { if (cursor >= 0) onOpen(cursor); },
  });

  return {
    get painter() { return painter.name; },
    get points() { return points; },
    show(found, itsGroups, themes) {
      [points, groups, cursor, lit, picks] = [found, itsGroups, -1, [], []];
      marks = new Uint8Array(points.x.length);
      grid = makeGrid(points.x, points.y);
      camera = cameras.whole(camera);
      labels.themes(themes);
      restore();
    },
    pick(found) { picks = found; markAgain(); },
    light(rows) { lit = rows; markAgain(); },
    point(row) { cursor = row; markAgain(); },
    zoom: (factor) => look(factor ? cameras.zoom(camera, factor) : cameras.whole(camera)),
    world: (left, top) => cameras.toWorld(camera, left, top),
    drawNow(factor = 1) { camera = cameras.zoom(camera, factor); draw(); painter.finish(); },
  };
};
