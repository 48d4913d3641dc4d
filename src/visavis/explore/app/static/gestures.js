// Fingers, mouse, wheel and keys over the map, as a few plain deeds.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STILL = 5;  // pixels a press may move and still be a press

const within = (field, event) => {
  const box = field.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

const watchPointers = (field, deeds) => {
  const down = new Map();
  let moved = 0;
  const spread = () => {
    const [[x1, y1], [x2, y2]] = [...down.values()];
    return { distance: Math.hypot(x1 - x2, y1 - y2), middle: [(x1 + x2) / 2, (y1 + y2) / 2] };
  };
  field.addEventListener("pointerdown", (event) => {
    if (field.classList.contains("drawing") || event.button) return;
    if (!down.size) moved = 0;
    down.set(event.pointerId, within(field, event));
  });
  field.addEventListener("pointermove", (event) => {
    const [x, y] = within(field, event);
    if (!down.has(event.pointerId)) return event.pointerType !== "touch" && deeds.hover(x, y, event.clientX, event.clientY);
    const [fromX, fromY] = down.get(event.pointerId);
    const before = down.size === 2 ? spread() : null;
    down.set(event.pointerId, [x, y]);
    moved += Math.abs(x - fromX) + Math.abs(y - fromY);
    if (moved < STILL) return;
    if (!field.hasPointerCapture(event.pointerId)) field.setPointerCapture(event.pointerId);
    if (!before) return deeds.pan(x - fromX, y - fromY);
    const after = spread();
    deeds.zoom(after.distance / Math.max(before.distance, 1), ...after.middle);
  });
  const up = (event) => {
    if (!down.delete(event.pointerId) || down.size || moved >= STILL || event.type !== "pointerup") return;
    deeds.press(...within(field, event));
  };
  for (const kind of ["pointerup", "pointercancel"]) field.addEventListener(kind, up);
  field.addEventListener("pointerleave", () => deeds.hover(-1e6, -1e6, 0, 0));
};

const watchKeys = (field, deeds) => {
  field.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = ARROWS[event.key] ? () => deeds.step(ARROWS[event.key], event.shiftKey)
      : { "+": () => deeds.zoom(1.5), "=": () => deeds.zoom(1.5), "-": () => deeds.zoom(1 / 1.5), 0: deeds.whole,
        Enter: deeds.open, " ": deeds.open, Escape: deeds.leave }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  field.addEventListener("blur", deeds.leave);
};

export const watchGestures = (field, deeds) => {
  watchPointers(field, deeds);
  watchKeys(field, deeds);
  // The wheel belongs to the page until the map is in use.
  field.addEventListener("wheel", (event) => {
    if (!(event.ctrlKey || event.metaKey || document.activeElement === field)) return;
    event.preventDefault();
    deeds.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...within(field, event));
  }, { passive: false });
  field.addEventListener("dblclick", (event) => deeds.zoom(event.shiftKey ? 0.5 : 2, ...within(field, event)));
};
