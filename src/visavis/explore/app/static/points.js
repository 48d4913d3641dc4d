// The points of the map in WebGL 2: all of them in one draw call. Picks lie in front by depth, not by order.

const VERTEX = `#version 300 es
in float x;
in float y;
in uint group;
in uint mark;
uniform vec4 place;     // slope and offset of x and y, to clip space
uniform vec4 sizes;     // of a point that is muted, lit, picked, under the cursor
uniform vec2 opacity;   // of muted and of lit points
uniform sampler2D palette;
flat out vec4 hue;
flat out uint shape;
flat out float size;
flat out float framed;
void main() {
  int color = min(int(group), textureSize(palette, 0).x - 1);
  float depth = mark == 3u ? 0.0 : mark == 2u ? 0.25 : mark == 1u ? 0.5 : 0.75;
  size = mark == 3u ? sizes.w : mark == 2u ? sizes.z : mark == 1u ? sizes.y : sizes.x;
  framed = mark >= 2u ? 1.0 : 0.0;
  hue = vec4(texelFetch(palette, ivec2(color, 0), 0).rgb, mark >= 2u ? 1.0 : mark == 1u ? opacity.y : opacity.x);
  shape = group % 7u;
  gl_Position = vec4(x * place.x + place.z, y * place.y + place.w, depth, 1.0);
  gl_PointSize = size;
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
flat in vec4 hue;
flat in uint shape;
flat in float size;
flat in float framed;
uniform vec3 ink;
uniform vec3 page;
out vec4 color;
float outline(vec2 p) {  // below 0 inside, in units of half the point's size
  vec2 q = abs(p);
  if (shape == 1u) return max(q.x, q.y) - 0.74;
  if (shape == 2u) return max(q.x * 0.87 + p.y * 0.5, -p.y * 0.6 - 0.1) * 1.0 - 0.45;
  if (shape == 3u) return (q.x + q.y - 0.98) * 0.72;
  if (shape == 4u) return abs(length(p) - 0.62) - 0.24;
  if (shape == 5u) return max(min(q.x, q.y) - 0.28, max(q.x, q.y) - 0.86);
  if (shape == 6u) return max(q.x * 0.87 - p.y * 0.5, p.y * 0.6 - 0.1) * 1.0 - 0.45;
  return length(p) - 0.8;
}
void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  p.y = -p.y;
  float soft = 2.0 / size;
  if (framed > 0.5) {
    float d = length(p);
    float alpha = 1.0 - smoothstep(1.0 - soft, 1.0, d);
    if (alpha < 0.5) discard;
    vec3 inner = mix(hue.rgb, ink, smoothstep(0.58 - soft, 0.58, d));
    color = vec4(mix(inner, page, smoothstep(0.84 - soft, 0.84, d)), 1.0) * alpha;
    return;
  }
  float alpha = size < 4.0 ? 1.0 : 1.0 - smoothstep(-soft, 0.0, outline(p));
  if (alpha < 0.02) discard;
  color = vec4(hue.rgb, 1.0) * (alpha * hue.a);
}`;

const compile = (gl, kind, source) => {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
};

const link = (gl) => {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
};

const put = (gl, program, name, buffer, data, kind) => {
  const at = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(at);
  if (kind === gl.FLOAT) gl.vertexAttribPointer(at, 1, kind, false, 0, 0);
  else gl.vertexAttribIPointer(at, 1, kind, 0, 0);
};

const prepare = (gl) => {
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.clearColor(0, 0, 0, 0);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
};

const paletteOf = (colors, rest) => new Uint8Array([...colors, rest].flatMap((color) => [...color, 255]));

const SLOW = /swiftshader|llvmpipe|software|basic render/iu;  // WebGL without a graphics card: a plain canvas is faster

const isSlow = (gl) => {
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  return Boolean(names) && SLOW.test(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
};

// A painter on this canvas, or null where there is no WebGL 2, or but a slow one and that is not enough.
export const makePoints = (canvas, evenSlow) => {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: true, failIfMajorPerformanceCaveat: !evenSlow });
  if (!gl || (!evenSlow && isSlow(gl))) return null;
  const program = link(gl);
  gl.useProgram(program);
  prepare(gl);
  const buffers = Object.fromEntries(["x", "y", "group", "mark"].map((name) => [name, gl.createBuffer()]));
  const uniform = (name) => gl.getUniformLocation(program, name);
  const names = ["place", "sizes", "opacity", "ink", "page"];
  const at = Object.fromEntries(names.map((name) => [name, uniform(name)]));
  let count = 0;
  return {
    name: "webgl",
    points({ x, y, group }) {
      count = x.length;
      put(gl, program, "x", buffers.x, x, gl.FLOAT);
      put(gl, program, "y", buffers.y, y, gl.FLOAT);
      put(gl, program, "group", buffers.group, group, gl.UNSIGNED_SHORT);
    },
    marks(marks) { put(gl, program, "mark", buffers.mark, marks, gl.UNSIGNED_BYTE); },
    colors({ groups, rest, ink, page }) {
      const width = groups.length + 1;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, paletteOf(groups, rest));
      gl.uniform3f(at.ink, ...ink.map((part) => part / 255));
      gl.uniform3f(at.page, ...page.map((part) => part / 255));
    },
    draw({ slopeX, slopeY, offsetX, offsetY, width, height, sizes, opacity, ratio }) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      if (!count) return;
      const [right, up] = [2 / width, -2 / height];
      gl.uniform4f(at.place, slopeX * right, slopeY * up, offsetX * right - 1, offsetY * up + 1);
      gl.uniform4f(at.sizes, ...sizes.map((size) => size * ratio));
      gl.uniform2f(at.opacity, ...opacity);
      gl.drawArrays(gl.POINTS, 0, count);
    },
    finish() { gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); },  // waits until it is drawn
  };
};
