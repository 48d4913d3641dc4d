// Which point is nearest: a grid of cells holds the rows of the points in each, by counting sort.

const PER_CELL = 4;
const FINEST = 512;

export const makeGrid = (x, y) => {
  const side = Math.max(1, Math.min(FINEST, Math.floor(Math.sqrt(x.length / PER_CELL))));
  const cell = (value) => Math.min(side - 1, Math.max(0, Math.floor(value * side)));
  const starts = new Uint32Array(side * side + 1);
  for (let row = 0; row < x.length; row++) starts[cell(y[row]) * side + cell(x[row]) + 1]++;
  for (let at = 0; at < side * side; at++) starts[at + 1] += starts[at];
  const rows = new Uint32Array(x.length);
  const next = starts.slice();
  for (let row = 0; row < x.length; row++) rows[next[cell(y[row]) * side + cell(x[row])]++] = row;
  return { x, y, side, cell, starts, rows };
};

// The nearest row within `reach` pixels of a place, given how many pixels a unit is; -1 if there is none.
export const nearest = (grid, x, y, pixelsX, pixelsY, reach) => {
  const { side, cell, starts, rows } = grid;
  const [reachX, reachY] = [reach / pixelsX, reach / pixelsY];
  let [best, least] = [-1, reach * reach];
  for (let down = cell(y - reachY); down <= cell(y + reachY); down++) {
    const first = starts[down * side + cell(x - reachX)];
    const last = starts[down * side + cell(x + reachX) + 1];
    for (let at = first; at < last; at++) {
      const row = rows[at];
      const distance = ((grid.x[row] - x) * pixelsX) ** 2 + ((grid.y[row] - y) * pixelsY) ** 2;
      if (distance < least) [best, least] = [row, distance];
    }
  }
  return best;
};

// The row one comes to from another by going in a direction; -1 where nothing lies that way.
export const toward = (grid, from, [byX, byY], among = null) => {
  let [best, least] = [-1, Infinity];
  const count = among ? among.length : grid.x.length;
  for (let at = 0; at < count; at++) {
    const row = among ? among[at] : at;
    const [x, y] = [grid.x[row] - grid.x[from], grid.y[row] - grid.y[from]];
    const along = x * byX + y * byY;
    if (row === from || along <= 0) continue;
    const cost = along + 2 * Math.abs(x * byY - y * byX);
    if (cost < least) [best, least] = [row, cost];
  }
  return best;
};

export const isInside = (polygon, x, y) => {
  let inside = false;
  for (let at = 0, last = polygon.length - 1; at < polygon.length; last = at++) {
    const [x1, y1] = polygon[at];
    const [x2, y2] = polygon[last];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
};
