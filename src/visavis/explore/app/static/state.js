// The whole state of the page is its address: every change is a step of the browser's history, and undo is a step back.

const SINGLE = ["by", "versus", "filter", "method", "size", "contrast", "seed", "lead", "embedder", "spread",
  "candidates", "gamma", "compare_sets", "beside"];
const SEVERAL = ["group", "only", "pin", "ban", "given", "blocks", "set"];
export const MOVES = ["contrast", "size", "pin", "ban", "method", "beside"];  // these leave groups and map as they are
const OF_A_MAP = ["by", "group", "only", "versus", "filter", "lead", "embedder", "given", "candidates", "seed"];
const TOP = "visavis-top";  // the number of the newest step, which a reload of the page must not forget

const listeners = new Set();
let current = null;

export const read = (query) => {
  const given = new URLSearchParams(query);
  const found = {};
  for (const name of SINGLE) found[name] = given.get(name) ?? "";
  for (const name of SEVERAL) found[name] = given.getAll(name);
  return found;
};

export const write = (state) => {
  const query = new URLSearchParams();
  for (const name of SINGLE) if (state[name] !== "") query.append(name, state[name]);
  for (const name of SEVERAL) for (const value of state[name]) query.append(name, value);
  return query.toString();
};

// What the server is asked: everything but what concerns the page alone.
export const asked = (state = current) => write({ ...state, beside: "" });

export const state = () => current;

// What decides the map that is shown, whatever is picked on it.
export const askedMap = () => {
  const others = [...SINGLE, ...SEVERAL].filter((name) => !OF_A_MAP.includes(name));
  return write({ ...current, ...Object.fromEntries(others.map((name) => [name, SEVERAL.includes(name) ? [] : ""])) });
};

const place = () => history.state?.at ?? 0;
const top = () => Number(sessionStorage.getItem(TOP) ?? 0);

export const canUndo = () => place() > 0;
export const canRedo = () => place() < top();
export const undo = () => { rest(); if (canUndo()) history.back(); };
export const redo = () => { rest(); if (canRedo()) history.forward(); };

export const listen = (listener) => listeners.add(listener);

// Listeners are told whether a step begins, or a drag goes on.
const tell = (before, isStep) => {
  for (const listener of listeners) listener(current, before, isStep);
};

const address = () => {
  const query = write(current);
  return (query ? `?${query}` : location.pathname) + location.hash;
};

const same = (one, other) => write(one) === write(other);

const push = (dragging) => {
  const at = place() + 1;
  history.pushState({ at, dragging }, "", address());
  sessionStorage.setItem(TOP, String(at));
};

// A drag is one step of the history, however many changes it makes: it begins with the first and ends with `rest`.
export const change = (patch, { dragging = false } = {}) => {
  const before = current;
  const goesOn = dragging && Boolean(history.state?.dragging);
  if (same(before, { ...before, ...patch })) return;
  if (!goesOn) rest();
  current = { ...before, ...patch };
  if (!goesOn) push(dragging);
  tell(before, !goesOn);
};

export const rest = () => {
  if (history.state?.dragging) history.replaceState({ at: place() }, "", address());
};

export const start = (query = location.search) => {
  current = read(query);
  if (history.state?.at === undefined) {
    history.replaceState({ at: 0 }, "", address());
    sessionStorage.setItem(TOP, "0");
  }
  addEventListener("popstate", () => {
    const before = current;
    current = read(location.search);
    tell(before, true);
  });
};

// Fields in which two states differ.
export const differing = (one, other) =>
  [...SINGLE, ...SEVERAL].filter((name) => String(one[name]) !== String(other[name]));
