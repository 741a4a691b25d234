const SOLID = `#version 300 es
uniform mat4 uView; uniform mat3 uTurn; uniform mat3 uForm; uniform vec3 uAt;
in vec3 aPlace; in vec3 aNormal; in vec3 aColour;
out vec3 vNormal; out vec3 vColour;
void main() {
  vNormal = uTurn * (inverse(transpose(uForm)) * aNormal);
  vColour = aColour;
  gl_Position = uView * vec4(uTurn * (uForm * aPlace) + uAt, 1.0);
}`;
const SOLID_COLOUR = `#version 300 es
precision highp float;
uniform vec3 uLight; uniform vec4 uTint; uniform float uShade;
in vec3 vNormal; in vec3 vColour;
out vec4 colour;
void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  float light = mix(1.0, 0.62 + 0.42 * max(dot(n, uLight), 0.0), uShade);
  vec3 own = mix(uTint.rgb, vColour, uTint.a < 0.0 ? 1.0 : 0.0);
  colour = vec4(own * light, abs(uTint.a));
}`;
// A segment is a rectangle that is as wide in pixels as it should be.
const LINE = `#version 300 es
uniform mat4 uView; uniform mat3 uTurn; uniform mat3 uForm; uniform vec2 uPixels; uniform float uWidth;
in vec3 aFrom; in vec3 aTo;
void main() {
  vec4 a = uView * vec4(uTurn * (uForm * aFrom), 1.0), b = uView * vec4(uTurn * (uForm * aTo), 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * uPixels;
  float far = length(along);
  along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
  bool end = gl_VertexID > 1;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  vec4 p = end ? b : a;
  // A little longer than the segment, so that neighbours overlap at corners.
  vec2 off = vec2(-along.y, along.x) * side + along * (end ? 0.5 : -0.5);
  p.xy += off * uWidth / uPixels * p.w;
  gl_Position = p;
}`;
const LINE_COLOUR = `#version 300 es
precision mediump float;
uniform vec4 uTint;
out vec4 colour;
void main() { colour = uTint; }`;

// Programs and buffers of one canvas. Everything is made once; a frame makes nothing.
class Painter {
  constructor(gl) {
    this.gl = gl;
    this.buffers = [];
    this.solid = this.program(SOLID, SOLID_COLOUR, ['aPlace', 'aNormal', 'aColour']);
    this.line = this.program(LINE, LINE_COLOUR, ['aFrom', 'aTo']);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.SCISSOR_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment, attributes) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    attributes.forEach((name, i) => gl.bindAttribLocation(program, i, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const places = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) {
      const { name } = gl.getActiveUniform(program, i);
      places[name] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  buffer(data) {
    const gl = this.gl, buffer = gl.createBuffer();
    this.buffers.push(buffer);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  }

  // How many buffers there are.
  get made() { return this.buffers.length; }

  // Forgets every mesh and every path.
  clear() {
    for (const buffer of this.buffers) this.gl.deleteBuffer(buffer);
    this.buffers = [];
  }

  // Triangles of [place, normal, colour], nine numbers to a corner.
  mesh(data) {
    return { buffer: this.buffer(data), count: data.length / 9 };
  }

  path({ points, times, count }) {
    return { buffer: this.buffer(points), times, count };
  }

  begin([x, y, w, h], view, light) {
    const gl = this.gl;
    gl.viewport(x, y, w, h);
    gl.scissor(x, y, w, h);
    this.view = view;
    this.light = light;
    this.pixels = [w, h];
  }

  // A tint with a negative last number has the mesh's own colours, that number being how opaque it is.
  drawMesh(mesh, turn, form, tint, { at = [0, 0, 0], shade = 1, from = 0, count = mesh.count - from } = {}) {
    const gl = this.gl, { program, places } = this.solid;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.uView, false, this.view);
    gl.uniformMatrix3fv(places.uTurn, false, turn);
    gl.uniformMatrix3fv(places.uForm, false, form);
    gl.uniform3fv(places.uAt, at);
    gl.uniform3fv(places.uLight, this.light);
    gl.uniform4fv(places.uTint, tint);
    gl.uniform1f(places.uShade, shade);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffer);
    for (let i = 0; i < 3; i++) {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 36, 12 * i);
      gl.vertexAttribDivisor(i, 0);
    }
    const clear = Math.abs(tint[3]) < 1;
    if (clear) { gl.enable(gl.BLEND); gl.depthMask(false); }
    gl.drawArrays(gl.TRIANGLES, from, count);
    if (clear) { gl.disable(gl.BLEND); gl.depthMask(true); }
  }

  // The points of a path from one number to before another, connected.
  drawPath(path, turn, form, tint, width, from = 0, to = path.count) {
    const gl = this.gl, { program, places } = this.line, count = to - from - 1;
    if (count < 1) return;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.uView, false, this.view);
    gl.uniformMatrix3fv(places.uTurn, false, turn);
    gl.uniformMatrix3fv(places.uForm, false, form);
    gl.uniform2fv(places.uPixels, this.pixels);
    gl.uniform1f(places.uWidth, width * (window.devicePixelRatio || 1));
    gl.uniform4fv(places.uTint, tint);
    gl.bindBuffer(gl.ARRAY_BUFFER, path.buffer);
    for (let i = 0; i < 2; i++) {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 12, 12 * (from + i));
      gl.vertexAttribDivisor(i, 1);
    }
    gl.disableVertexAttribArray(2);
    if (tint[3] < 1) gl.enable(gl.BLEND);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.disable(gl.BLEND);
  }
}

// Triangles as Painter.mesh takes them.
const triangle = (out, a, b, c, colour, normals = null) => {
  const flat = normals || Array(3).fill(unit(cross(sum(b, scaled(a, -1)), sum(c, scaled(a, -1)))));
  [a, b, c].forEach((p, i) => out.push(...p, ...flat[i], ...colour));
};
const roundMesh = (profile, colour = [1, 1, 1], sides = 32) => {
  const out = [];
  const ring = ([r, z], k) => [r * Math.cos(k * 2 * Math.PI / sides), r * Math.sin(k * 2 * Math.PI / sides), z];
  for (let i = 0; i + 1 < profile.length; i++) for (let k = 0; k < sides; k++) {
    const [a, b] = [ring(profile[i], k), ring(profile[i], k + 1)];
    const [c, d] = [ring(profile[i + 1], k), ring(profile[i + 1], k + 1)];
    if (profile[i][0] > 0) triangle(out, a, b, d, colour);
    if (profile[i + 1][0] > 0) triangle(out, a, d, c, colour);
  }
  return Float32Array.from(out);
};
const ballMesh = (rings = 32) => {
  const out = [];
  const at = (i, k) => {
    const [b, l] = [Math.PI * i / rings, Math.PI * k / rings];
    return [Math.sin(b) * Math.cos(l), Math.sin(b) * Math.sin(l), Math.cos(b)];
  };
  for (let i = 0; i < rings; i++) for (let k = 0; k < 2 * rings; k++) {
    const [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
    triangle(out, a, b, c, [1, 1, 1], [a, b, c]);
    triangle(out, a, c, d, [1, 1, 1], [a, c, d]);
  }
  return Float32Array.from(out);
};
// The cone from the origin to the points of a path, a triangle for each segment.
const fanMesh = ({ points, count }) => {
  const out = [];
  const at = i => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  for (let i = 0; i + 1 < count; i++) triangle(out, [0, 0, 0], at(i), at(i + 1), [1, 1, 1]);
  return Float32Array.from(out);
};
