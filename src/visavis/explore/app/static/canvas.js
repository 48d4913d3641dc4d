// The points of the map on a plain canvas, for browsers without WebGL: small maps in shapes, large ones pixel by pixel.

const MOST_SHAPES = 20000;
const FULL = 2 * Math.PI;

const corners = {
  1: [[-0.74, -0.74], [0.74, -0.74], [0.74, 0.74], [-0.74, 0.74]],
  2: [[0, -0.9], [0.86, 0.66], [-0.86, 0.66]],
  3: [[0, -0.98], [0.98, 0], [0, 0.98], [-0.98, 0]],
  5: [[-0.28, -0.86], [0.28, -0.86], [0.28, -0.28], [0.86, -0.28], [0.86, 0.28], [0.28, 0.28], [0.28, 0.86],
    [-0.28, 0.86], [-0.28, 0.28], [-0.86, 0.28], [-0.86, -0.28], [-0.28, -0.28]],
  6: [[0, 0.9], [0.86, -0.66], [-0.86, -0.66]],
};

const css = (color, alpha = 1) => `rgb(${color.join(" ")} / ${alpha})`;

const trace = (pen, shape, middle, radius) => {
  pen.beginPath();
  if (corners[shape]) {
    for (const [x, y] of corners[shape]) pen.lineTo(middle + x * radius, middle + y * radius);
    pen.closePath();
  } else {
    pen.arc(middle, middle, radius * 0.8, 0, FULL);
    if (shape === 4) pen.arc(middle, middle, radius * 0.4, 0, FULL, true);
  }
};

const makeStamp = (group, color, alpha, size) => {
  const stamp = document.createElement("canvas");
  stamp.width = stamp.height = Math.ceil(size) + 2;
  const pen = stamp.getContext("2d");
  trace(pen, group % 7, stamp.width / 2, size / 2);
  pen.fillStyle = css(color, alpha);
  pen.fill();
  return stamp;
};

const drawShapes = (pen, data, marks, at, frame) => {
  const stamps = new Map();
  const stampOf = (group, mark) => {
    const key = 2 * group + mark;
    if (!stamps.has(key)) {
      const color = data.colors.groups[group] ?? data.colors.rest;
      stamps.set(key, makeStamp(group, color, frame.opacity[mark], frame.sizes[mark] * frame.ratio));
    }
    return stamps.get(key);
  };
  for (const mark of [0, 1]) {
    for (let row = 0; row < data.x.length; row++) {
      if (marks[row] !== mark) continue;
      const stamp = stampOf(data.group[row], mark);
      pen.drawImage(stamp, at.x(row) - stamp.width / 2, at.y(row) - stamp.width / 2);
    }
  }
};

// Colors are mixed with the page beforehand: a pixel is written, never blended.
const mixed = (color, page, alpha) => {
  const [red, green, blue] = color.map((part, at) => Math.round(part * alpha + page[at] * (1 - alpha)));
  return (255 << 24) | (blue << 16) | (green << 8) | red;
};

const drawPixels = (pen, data, marks, at, frame) => {
  const { width, height } = pen.canvas;
  const picture = pen.createImageData(width, height);
  const pixels = new Int32Array(picture.data.buffer);
  const every = [...data.colors.groups, data.colors.rest];
  const inks = [0, 1].map((mark) => Int32Array.from(every, (color) => mixed(color, data.colors.page, frame.opacity[mark])));
  const sides = [0, 1].map((mark) => Math.max(1, Math.round(frame.sizes[mark] * frame.ratio * 0.8)));
  for (const mark of [0, 1]) {
    const side = sides[mark];
    for (let row = 0; row < data.x.length; row++) {
      if (marks[row] !== mark) continue;
      const [left, top] = [(at.x(row) - side / 2) | 0, (at.y(row) - side / 2) | 0];
      if (left < 0 || top < 0 || left + side > width || top + side > height) continue;
      const ink = inks[mark][Math.min(data.group[row], every.length - 1)];
      for (let down = 0; down < side; down++) pixels.fill(ink, (top + down) * width + left, (top + down) * width + left + side);
    }
  }
  pen.putImageData(picture, 0, 0);
};

const drawFramed = (pen, data, marks, at, frame) => {
  for (const mark of [2, 3]) {
    for (const row of frame.framed) {
      if (marks[row] !== mark) continue;
      const radius = (frame.sizes[mark] * frame.ratio) / 2;
      const rings = [[1, data.colors.page], [0.84, data.colors.ink], [0.58, data.colors.groups[data.group[row]] ?? data.colors.rest]];
      for (const [share, color] of rings) {
        pen.beginPath();
        pen.arc(at.x(row), at.y(row), radius * share, 0, FULL);
        pen.fillStyle = css(color);
        pen.fill();
      }
    }
  }
};

export const makeCanvas = (canvas) => {
  const pen = canvas.getContext("2d");
  let data = { x: new Float32Array(), y: new Float32Array(), group: new Uint16Array(), colors: null };
  let marked = new Uint8Array();
  return {
    name: "canvas",
    points(points) { data = { ...data, ...points }; },
    marks(marks) { marked = marks; },
    colors(colors) { data = { ...data, colors }; },
    draw(frame) {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      const { slopeX, slopeY, offsetX, offsetY, ratio } = frame;
      const at = {
        x: (row) => (offsetX + slopeX * data.x[row]) * ratio,
        y: (row) => (offsetY + slopeY * data.y[row]) * ratio,
      };
      (data.x.length > MOST_SHAPES ? drawPixels : drawShapes)(pen, data, marked, at, frame);
      drawFramed(pen, data, marked, at, frame);
    },
    finish() { pen.getImageData(0, 0, 1, 1); },
  };
};
