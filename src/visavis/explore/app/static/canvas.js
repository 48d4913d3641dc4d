// The points of the map without WebGL: pixels blended one by one into a picture, which is then put on a plain canvas.

const CORNERS = {  // of a group's shape, in units of half its size, y down
  1: [[-0.74, -0.74], [0.74, -0.74], [0.74, 0.74], [-0.74, 0.74]],
  2: [[0, -0.9], [0.86, 0.66], [-0.86, 0.66]],
  3: [[0, -0.98], [0.98, 0], [0, 0.98], [-0.98, 0]],
  5: [[-0.28, -0.86], [0.28, -0.86], [0.28, -0.28], [0.86, -0.28], [0.86, 0.28], [0.28, 0.28], [0.28, 0.86],
    [-0.28, 0.86], [-0.28, 0.28], [-0.86, 0.28], [-0.86, -0.28], [-0.28, -0.28]],
  6: [[0, 0.9], [0.86, -0.66], [-0.86, -0.66]],
};
const FULL = 2 * Math.PI;

const trace = (pen, shape, middle, radius) => {
  pen.beginPath();
  if (CORNERS[shape]) {
    for (const [x, y] of CORNERS[shape]) pen.lineTo(middle + x * radius, middle + y * radius);
    pen.closePath();
    return;
  }
  pen.arc(middle, middle, radius * 0.8, 0, FULL);
  if (shape === 4) pen.arc(middle, middle, radius * 0.4, 0, FULL, true);
};

// The pixels that a shape covers, and how much of each, from 0 to 256.
const makeMask = (shape, size, opacity) => {
  const side = Math.max(1, Math.round(size));
  const sheet = document.createElement("canvas");
  sheet.width = sheet.height = side;
  const pen = sheet.getContext("2d", { willReadFrequently: true });
  if (side < 3) pen.fillRect(0, 0, side, side);
  else { trace(pen, shape, side / 2, side / 2); pen.fill(); }
  const covered = pen.getImageData(0, 0, side, side).data;
  const cells = [];
  for (let at = 0; at < side * side; at++) {
    const share = Math.round((covered[4 * at + 3] / 255) * opacity * 256);
    if (share > 8) cells.push(at % side, Math.floor(at / side), share);
  }
  return { side, cells: Int32Array.from(cells) };
};

const known = [];  // for muted and for lit points: the masks of the last frame, which are most often those of the next

const masksOf = (frame, mark) => {
  const [size, opacity] = [frame.sizes[mark] * frame.ratio, frame.opacity[mark]];
  if (known[mark]?.size !== size || known[mark].opacity !== opacity) {
    known[mark] = { size, opacity, masks: Array.from({ length: 7 }, (_, shape) => makeMask(shape, size, opacity)) };
  }
  return known[mark].masks;
};

const stamp = (picture, { side, cells }, left, top, [red, green, blue]) => {
  const { data, width, height } = picture;
  if (left < 0 || top < 0 || left + side > width || top + side > height) return;
  for (let at = 0; at < cells.length; at += 3) {
    const pixel = 4 * ((top + cells[at + 1]) * width + left + cells[at]);
    const share = cells[at + 2];
    data[pixel] += ((red - data[pixel]) * share) >> 8;
    data[pixel + 1] += ((green - data[pixel + 1]) * share) >> 8;
    data[pixel + 2] += ((blue - data[pixel + 2]) * share) >> 8;
  }
};

const drawPoints = (picture, data, marks, frame) => {
  const { slopeX, slopeY, offsetX, offsetY, ratio } = frame;
  for (const mark of [0, 1]) {
    const masks = masksOf(frame, mark);
    const half = masks[0].side / 2;
    for (let row = 0; row < data.x.length; row++) {
      if (marks[row] !== mark) continue;
      const left = Math.round((offsetX + slopeX * data.x[row]) * ratio - half);
      const top = Math.round((offsetY + slopeY * data.y[row]) * ratio - half);
      const group = data.group[row];
      stamp(picture, masks[group % 7], left, top, data.colors.groups[group] ?? data.colors.rest);
    }
  }
};

const css = (color) => `rgb(${color.join(" ")})`;

const drawFramed = (pen, data, marks, frame) => {
  const { slopeX, slopeY, offsetX, offsetY, ratio } = frame;
  for (const mark of [2, 3]) {
    for (const row of frame.framed) {
      if (marks[row] !== mark) continue;
      const radius = (frame.sizes[mark] * ratio) / 2;
      const hue = data.colors.groups[data.group[row]] ?? data.colors.rest;
      for (const [share, color] of [[1, data.colors.page], [0.84, data.colors.ink], [0.58, hue]]) {
        pen.beginPath();
        pen.arc((offsetX + slopeX * data.x[row]) * ratio, (offsetY + slopeY * data.y[row]) * ratio, radius * share, 0, FULL);
        pen.fillStyle = css(color);
        pen.fill();
      }
    }
  }
};

export const makeCanvas = (canvas) => {
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  let data = { x: new Float32Array(), y: new Float32Array(), group: new Uint16Array(), colors: null };
  let [marked, picture] = [new Uint8Array(), null];
  return {
    name: "canvas",
    points(points) { data = { ...data, ...points }; },
    marks(marks) { marked = marks; },
    colors(colors) { data = { ...data, colors }; },
    draw(frame) {
      if (!canvas.width || !data.colors) return;
      const { width, height } = canvas;
      if (picture?.width !== width || picture.height !== height) picture = pen.createImageData(width, height);
      const [red, green, blue] = data.colors.page;
      new Int32Array(picture.data.buffer).fill((255 << 24) | (blue << 16) | (green << 8) | red);
      drawPoints(picture, data, marked, frame);
      pen.putImageData(picture, 0, 0);
      drawFramed(pen, data, marked, frame);
    },
    finish() { pen.getImageData(0, 0, 1, 1); },
  };
};
