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

const noPoints = () => ({ x: new Float32Array(), y: new Float32Array(), group: new Uint16Array() });

// `kind` is webgl, canvas, or auto: WebGL where a graphics card draws it.
export class DocumentMap {
  #field; #on; #labels; #canvas; #painter;
  #frame = 0;
  #points = noPoints();
  #groups = [];
  #marks = new Uint8Array();
  #picks = [];
  #lit = [];
  #cursor = -1;
  #grid = makeGrid([], []);
  #camera = cameras.makeCamera();

  constructor(field, { kind = "auto", onHover = () => {}, onOpen = () => {}, onCursor = () => {} } = {}) {
    this.#field = field;
    this.#on = { hover: onHover, open: onOpen, cursor: onCursor };
    this.#labels = makeLabels(field);
    this.#begin(kind);
    new ResizeObserver(() => this.#resize()).observe(field);
    whenDarknessChanges(() => this.#colorAgain());
    watchGestures(field, this.#gestures());
  }

  get painter() { return this.#painter.name; }
  get points() { return this.#points; }

  show(points, groups, themes) {
    [this.#points, this.#groups, this.#cursor, this.#lit, this.#picks] = [points, groups, -1, [], []];
    this.#marks = new Uint8Array(points.x.length);
    this.#grid = makeGrid(points.x, points.y);
    this.#camera = cameras.whole(this.#camera);
    this.#labels.themes(themes);
    this.#restore();
  }

  pick(picks) { this.#picks = picks; this.#markAgain(); }
  light(rows) { this.#lit = rows; this.#markAgain(); }
  point(row) { this.#cursor = row; this.#markAgain(); }
  zoom(factor) { this.#look(factor ? cameras.zoom(this.#camera, factor) : cameras.whole(this.#camera)); }
  world(left, top) { return cameras.toWorld(this.#camera, left, top); }
  drawNow(factor = 1) { this.#camera = cameras.zoom(this.#camera, factor); this.#draw(); this.#painter.finish(); }

  #begin(kind) {
    this.#canvas?.remove();
    this.#canvas = element("canvas", { class: "points", "aria-hidden": "true" });
    this.#field.prepend(this.#canvas);
    this.#painter = painterFor(this.#canvas, kind);
    if (!this.#painter) return this.#begin("canvas");
    this.#canvas.addEventListener("webglcontextlost", () => { this.#begin("canvas"); this.#restore(); }, { once: true });
  }

  #gestures() {
    return {
      pan: (x, y) => this.#look(cameras.pan(this.#camera, x, y)),
      zoom: (factor, left, top) => this.#look(cameras.zoom(this.#camera, factor, left, top)),
      whole: () => this.#look(cameras.whole(this.#camera)),
      hover: (left, top, x, y) => this.#on.hover(this.#at(left, top), x, y),
      press: (left, top) => { const row = this.#at(left, top); if (row >= 0) this.#on.open(row); },
      step: (direction, amongPicks) => this.#step(direction, amongPicks),
      leave: () => this.point(-1),
      open: () => { if (this.#cursor >= 0) this.#on.open(this.#cursor); },
    };
  }

  #restore() { this.#resize(); this.#painter.points(this.#points); this.#colorAgain(); this.#markAgain(); }

  #colorAgain() {
    const tone = isDark() ? "dark" : "light";
    this.#painter.colors({ groups: mapColors(this.#groups), rest: OTHERS, ink: INK[tone], page: PAGE[tone] });
    this.#redraw();
  }

  #markAgain() {
    const marks = this.#marks.fill(REST);
    for (const row of this.#lit) marks[row] = LIT;
    for (const pick of this.#picks) if (pick.row < marks.length) marks[pick.row] = PICKED;
    if (this.#cursor >= 0) marks[this.#cursor] = CURSOR;
    this.#painter.marks(marks);
    this.#redraw();
  }

  #draw() {
    this.#frame = 0;
    const [camera, points, rows] = [this.#camera, this.#points, this.#picks.map((pick) => pick.row)];
    this.#painter.draw({
      ...cameras.slopes(camera), ...lookOf(points.x.length, camera.scale, this.#lit.length > 0),
      framed: this.#cursor >= 0 ? [...rows, this.#cursor] : rows,
      width: camera.width, height: camera.height, ratio: this.#canvas.width / camera.width,
    });
    this.#labels.place(camera, this.#picks.map((pick) => ({ ...pick, x: points.x[pick.row], y: points.y[pick.row] })));
  }

  #redraw() { this.#frame ||= requestAnimationFrame(() => this.#draw()); }

  #resize() {
    const { width, height } = this.#field.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    [this.#canvas.width, this.#canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.#camera = cameras.fit(this.#camera, width, height);
    this.#redraw();
  }

  #look(camera) {
    this.#camera = camera;
    this.#field.classList.toggle("close", camera.scale > 1);
    this.#redraw();
  }

  #at(left, top) {
    const { slopeX, slopeY } = cameras.slopes(this.#camera);
    return nearest(this.#grid, ...this.world(left, top), slopeX, -slopeY, REACH);
  }

  #put(row) {
    const [x, y] = [this.#points.x[row], this.#points.y[row]];
    this.#look(cameras.bringIn(this.#camera, x, y));
    this.point(row);
    this.#on.cursor(row, cameras.toScreen(this.#camera, x, y));
  }

  // By keyboard: to the next point that way, or among the picks alone.
  #step(direction, amongPicks) {
    if (!this.#points.x.length) return;
    if (this.#cursor < 0) return this.#put(this.#picks[0]?.row ?? 0);
    const found = toward(this.#grid, this.#cursor, direction, amongPicks ? this.#picks.map((pick) => pick.row) : null);
    if (found >= 0) this.#put(found);
  }
}
