// A line drawn around points of the map, which becomes a set.

import { drawing } from "./dom.js";
import { isInside } from "./near.js";

const MOST_CORNERS = 60;
const APART = 4;  // pixels between two corners

export const thin = (corners) => {
  const every = Math.ceil(corners.length / MOST_CORNERS);
  return corners.filter((_, at) => at % every === 0);
};

export const rowsInside = (points, polygon) => {
  const rows = [];
  for (let row = 0; row < points.x.length; row++) if (isInside(polygon, points.x[row], points.y[row])) rows.push(row);
  return rows;
};

export const written = (polygon) => polygon.flatMap(([x, y]) => [x.toFixed(3), y.toFixed(3)]).join(",");

// While drawing is on, a drag draws; `done` is told the corners, in the map's coordinates.
export const makeLasso = (field, map, done) => {
  const line = drawing("path", { class: "lasso" });
  field.append(drawing("svg", { class: "drawn", "aria-hidden": "true" }, line));
  let corners = null;

  const place = (event) => {
    const box = field.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const show = () => line.setAttribute("d", corners?.length ? `M${corners.map((corner) => corner.join(" ")).join("L")}Z` : "");

  field.addEventListener("pointerdown", (event) => {
    if (!field.classList.contains("drawing")) return;
    event.preventDefault();
    field.setPointerCapture(event.pointerId);
    corners = [place(event)];
  });
  field.addEventListener("pointermove", (event) => {
    if (!corners) return;
    const [x, y] = place(event);
    const [lastX, lastY] = corners.at(-1);
    if (Math.hypot(x - lastX, y - lastY) < APART) return;
    corners.push([x, y]);
    show();
  });
  const end = (event) => {
    if (!corners) return;
    const polygon = thin(corners).map(([x, y]) => map.world(x, y));
    corners = null;
    show();
    if (event.type === "pointerup" && polygon.length > 2) done(polygon);
  };
  for (const kind of ["pointerup", "pointercancel"]) field.addEventListener(kind, end);
  return {
    toggle(on) { field.classList.toggle("drawing", on); },
    get isOn() { return field.classList.contains("drawing"); },
  };
};
