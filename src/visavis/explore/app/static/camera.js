// Where a point of the map (0 to 1 both ways, y up) lies on the screen, and back.

export const MARGIN = 26;
const CLOSEST = 400;

export const makeCamera = () => ({ scale: 1, x: 0, y: 0, width: 1, height: 1 });

export const fit = (camera, width, height) => clamp({ ...camera, width, height });

const inner = (camera) => [Math.max(camera.width - 2 * MARGIN, 1), Math.max(camera.height - 2 * MARGIN, 1)];

// Screen = offset + slope · world, in pixels.
export const slopes = (camera) => {
  const [wide, high] = inner(camera);
  return {
    slopeX: wide * camera.scale,
    slopeY: -high * camera.scale,
    offsetX: MARGIN * camera.scale + camera.x,
    offsetY: (MARGIN + high) * camera.scale + camera.y,
  };
};

export const toScreen = (camera, x, y) => {
  const { slopeX, slopeY, offsetX, offsetY } = slopes(camera);
  return [offsetX + slopeX * x, offsetY + slopeY * y];
};

export const toWorld = (camera, left, top) => {
  const { slopeX, slopeY, offsetX, offsetY } = slopes(camera);
  return [(left - offsetX) / slopeX, (top - offsetY) / slopeY];
};

const clamp = (camera) => ({
  ...camera,
  x: Math.min(0, Math.max(camera.width * (1 - camera.scale), camera.x)),
  y: Math.min(0, Math.max(camera.height * (1 - camera.scale), camera.y)),
});

export const pan = (camera, byX, byY) => clamp({ ...camera, x: camera.x + byX, y: camera.y + byY });

// Closer or farther by a factor, with what lies at this place of the screen staying there.
export const zoom = (camera, factor, left = camera.width / 2, top = camera.height / 2) => {
  const scale = Math.min(CLOSEST, Math.max(1, camera.scale * factor));
  const ratio = scale / camera.scale;
  return clamp({ ...camera, scale, x: left - (left - camera.x) * ratio, y: top - (top - camera.y) * ratio });
};

export const whole = (camera) => ({ ...camera, scale: 1, x: 0, y: 0 });

// Moved as little as brings a point into sight.
export const bringIn = (camera, x, y) => {
  const [left, top] = toScreen(camera, x, y);
  const miss = (at, size) => (at < MARGIN ? MARGIN - at : at > size - MARGIN ? size - MARGIN - at : 0);
  return pan(camera, miss(left, camera.width), miss(top, camera.height));
};
