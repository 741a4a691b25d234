// Colours that the colour-blind tell apart (Okabe and Ito), for light and for dark.
const PALETTE = {
  light: { momentum: '#000000', omega: '#d55e00', axis1: '#0072b2', axis2: '#009e73', axis3: '#b4478f', other: '#553311', faint: '#8a929b', own: '#8800ee' },
  dark: { momentum: '#ffffff', omega: '#ff8a3d', axis1: '#56b4e9', axis2: '#3ddfae', axis3: '#ee44a8', other: '#f0c000', faint: '#7c858f', own: '#9944dd' },
};
const rgb = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255);

// The name of the angular velocity stands so many pixels beside its tip: mostly the momentum is near.
const ASIDE = -16;

// One run: its canvas, its labels, its buffers.
class Stage {
  constructor(motion, element, options) {
    this.motion = motion;
    this.options = options;
    this.stage = element;
    this.canvas = element.querySelector('canvas');
    this.labels = element.querySelector('.labels');
    this.corners = [...element.querySelectorAll('.corner')];
    this.named = new Map();
    const gl = this.canvas.getContext('webgl2', { alpha: false, antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error('no WebGL2');
    this.gl = gl;
    this.painter = new Painter(gl);
    this.frames = 0;
    this.prepare();
  }

  // Another motion in the place of this one.
  change(motion) {
    this.motion = motion;
    this.painter.clear();
    this.prepare();
  }

  prepare() {
    const { motion, painter } = this, { run } = motion;
    const [places, corners, colours] = [floats(run.mesh.places), new Uint32Array(bytes(run.mesh.corners)), new Uint8Array(bytes(run.mesh.colours))];
    const out = [];
    const at = i => [places[3 * i], places[3 * i + 1], places[3 * i + 2]];
    for (let i = 0; i < corners.length / 3; i++) {
      const colour = [0, 1, 2].map(k => colours[3 * i + k] / 255);
      triangle(out, at(corners[3 * i]), at(corners[3 * i + 1]), at(corners[3 * i + 2]), colour);
    }
    this.body = painter.mesh(Float32Array.from(out));
    this.arrow = painter.mesh(roundMesh([[0, 0], [0.022, 0], [0.022, 0.86], [0.06, 0.86], [0, 1]], [1, 1, 1], 20));
    this.ball = painter.mesh(ballMesh(20));
    this.square = painter.mesh(Float32Array.from([[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]].flatMap(([x, y]) => [x, y, 0, 0, 0, 1, 1, 1, 1])));
    const grid = [];
    for (let i = -5; i <= 5; i++) {
      // A segment that leads to the next line is seen on the edge alone.
      const [low, high] = i % 2 ? [1, -1] : [-1, 1];
      grid.push([i / 5, low, 0], [i / 5, high, 0]);
    }
    for (let i = -5; i <= 5; i++) {
      const [low, high] = i % 2 ? [-1, 1] : [1, -1];
      grid.push([low, i / -5, 0], [high, i / -5, 0]);
    }
    this.grid = painter.path({ points: Float32Array.from(grid.flat()), count: grid.length });
    this.stick = painter.path({ points: Float32Array.from([0, 0, 0, 0, 0, 1]), count: 2 });

    // The ellipsoid of inertia in its own axes, so large that it fits.
    const half = motion.moments.map(i => 1 / Math.sqrt(i));
    const most = Math.max(...half);
    this.half = half.map(a => a / most);
    this.form = product(motion.axes, stretching(...this.half));
    // Where the angular velocity meets it.
    this.touch = ({ w }) => {
      const energy = dot(times(motion.tensor, w), w);
      return energy > 0 ? scaled(w, 1 / (Math.sqrt(energy) * most)) : [0, 0, 0];
    };
    const inBody = motion.path(state => this.touch(state));
    const inSpace = motion.path(state => times(turning(state.q), this.touch(state)));
    this.polhode = painter.path(inBody);
    this.herpolhode = painter.path(inSpace);
    this.bodyCone = painter.mesh(fanMesh(inBody));
    this.spaceCone = painter.mesh(fanMesh(inSpace));
    this.tips = new Map();
    // Upwards: the momentum of a free body, else the third axis of space.
    const { q, m } = motion.at(motion.begin);
    const momentum = unit(times(turning(q), m));
    const [first, second] = across(momentum);
    this.upright = transposed([...first, ...second, ...momentum]);
  }

  // The path of the tip of a direction of the body, made when it is first asked for.
  tip(direction) {
    const key = direction.join();
    if (!this.tips.has(key)) {
      const n = unit(direction);
      this.tips.set(key, this.painter.path(this.motion.path(({ q }) => times(turning(q), scaled(n, this.motion.run.reach)))));
    }
    return this.tips.get(key);
  }

  resize() {
    const { canvas } = this, ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.max(1, Math.round(canvas.clientWidth * ratio)), Math.max(1, Math.round(canvas.clientHeight * ratio))];
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  }

  draw(t) {
    const { gl, canvas, options, motion } = this;
    this.resize();
    this.colours = PALETTE[options.theme];
    this.world = options.momentumUp ? this.upright : ONE;
    this.now = motion.at(t);
    this.turn = turning(this.now.q);
    const { width: w, height: h } = canvas;
    gl.scissor(0, 0, w, h);
    gl.clearColor(...rgb(getComputedStyle(document.documentElement).getPropertyValue('--stage').trim()), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const views = [options.body && 'body', options.ellipsoid && 'ellipsoid'].filter(Boolean);
    this.used = new Set();
    this.taken = [];
    this.stage.classList.toggle('two', views.length === 2);
    const wide = w > 1.25 * h;
    views.forEach((view, i) => {
      const share = 1 / views.length;
      const box = wide
        ? [Math.round(i * share * w), 0, Math.round(share * w), h]
        : [0, Math.round((views.length - 1 - i) * share * h), w, Math.round(share * h)];
      this.box = box;
      // A momentum that points upwards needs its room there alone.
      const upwards = options.momentumUp && motion.run.free;
      const distance = (upwards ? 7.6 : 8.6) / options.zoom;
      const target = [0, 0, upwards ? 0.25 : view === 'body' && motion.run.floor ? 0.45 : 0];
      const { matrix, back } = camera(options.longitude, options.latitude, distance, target, box[2] / box[3]);
      this.matrix = mat4Product(matrix, [...this.world.slice(0, 3), 0, ...this.world.slice(3, 6), 0, ...this.world.slice(6, 9), 0, 0, 0, 0, 1]);
      const light = times(transposed(this.world), unit(sum(back, [0.25, -0.15, 0.55])));
      this.painter.begin(box, this.matrix, light);
      if (view === 'body') this.drawBody(t); else this.drawEllipsoid(t);
      this.caption(i, view, box);
    });
    for (let i = views.length; i < 2; i++) this.corners[i].hidden = true;
    for (const [key, label] of this.named) label.hidden = !this.used.has(key);
    this.frames += 1;
  }

  caption(i, view, [x, y, w, h]) {
    const corner = this.corners[i], ratio = window.devicePixelRatio || 1;
    corner.hidden = false;
    const free = this.motion.run.free;
    const text = view === 'body' ? 'The body in space' : free ? 'Its ellipsoid of inertia, rolling on the invariable plane' : 'Its ellipsoid of inertia';
    if (corner.textContent !== text) corner.textContent = text;
    corner.style.left = `${x / ratio}px`;
    corner.style.maxWidth = `${w / ratio}px`;
    corner.style.top = `${(this.canvas.height - y - h) / ratio}px`;
  }

  // A name at a place of the scene.
  label(key, text, place, colour, aside = 0) {
    const at = seen(this.matrix, place);
    if (!at || Math.abs(at[0]) > 1 || Math.abs(at[1]) > 1) return;
    let label = this.named.get(key);
    if (!label) {
      label = document.createElement('span');
      label.className = 'label';
      label.textContent = text;
      this.labels.append(label);
      this.named.set(key, label);
    }
    const ratio = window.devicePixelRatio || 1, [x, y, w, h] = this.box;
    let left = (x + (at[0] + 1) / 2 * w) / ratio + aside;
    const top = (this.canvas.height - y - (at[1] + 1) / 2 * h) / ratio;
    // Beside a name that is there already.
    const half = 2 + 4.5 * text.length;
    while (this.taken.some(([a, b, c]) => Math.abs(a - left) < half + c && Math.abs(b - top) < 14)) left += 7;
    this.taken.push([left, top, half]);
    label.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px) translate(-50%, -50%)`;
    label.style.color = colour;
    this.used.add(key);
  }

  vector(key, text, v, colour, length, thickness = 1, aside = 0) {
    const n = size(v) * length;
    if (!(n > 1e-3)) return;
    const up = unit(v), [first, second] = across(up);
    const form = stretching(thickness, thickness, n);
    this.painter.drawMesh(this.arrow, [...first, ...second, ...up], form, [...rgb(colour), 1]);
    this.label(key, text, scaled(up, n + 0.12), colour, aside);
  }

  axis(key, text, direction, turn, colour, length, width) {
    const up = unit(direction), [first, second] = across(up);
    const stand = product(turn, [...first, ...second, ...up]);
    this.painter.drawPath(this.stick, stand, stretching(1, 1, length), [...rgb(colour), 1], width);
    this.label(key, text, times(turn, scaled(up, length + 0.09)), colour);
  }

  // From the path of the recent past to all of it.
  trace(path, turn, colour, t, width) {
    const all = path.count <= 4000 ? 0.35 : 0.14;
    const [p, own] = [this.painter, rgb(colour)];
    const { trail } = this.options;
    // The recent past first: the rest does not show through it.
    p.drawPath(path, turn, ONE, [...own, 0.95], width, Math.max(0, passed(path.times, t - trail) - 1), passed(path.times, t));
    p.drawPath(path, turn, ONE, [...own, all], width * 0.6);
  }

  drawBody(t) {
    const { painter: p, motion, options, colours, turn, now } = this;
    const faint = [...rgb(colours.faint), 1], { reach, floor } = motion.run;
    if (options.space) {
      [['X', [1, 0, 0]], ['Y', [0, 1, 0]], ['Z', [0, 0, 1]]].forEach(([name, d]) => this.axis(`body ${name}`, name, d, ONE, colours.faint, 1.3, 1));
    }
    p.drawMesh(this.body, turn, stretching(1, 1, 1), [...faint.slice(0, 3), -1]);
    // What is drawn, read back where someone asks for it: it makes the page wait for the graphics card.
    if (options.readBack) this.drawn = Array.from(this.gl.getUniform(p.solid.program, p.solid.places.uTurn));
    if (options.axes) {
      [0, 1, 2].forEach(k => {
        const d = [motion.axes[3 * k], motion.axes[3 * k + 1], motion.axes[3 * k + 2]];
        this.axis(`body axis ${k}`, `${k + 1}`, d, turn, colours[`axis${k + 1}`], reach + 0.12, 2);
      });
    }
    const momentum = times(turn, now.m), omega = times(turn, now.w);
    if (options.momentum) this.vector('body L', 'L', momentum, colours.momentum, 1.5 / (motion.longest || 1));
    if (options.omega) this.vector('body ω', 'ω', omega, colours.omega, 1.35 / (motion.fastest || 1), 0.85, ASIDE);
    motion.arrows.forEach(a => {
      if (options.arrows) this.vector(`arrow ${a.name}`, a.name, motion.arrow(a, t), colours.other, 1.4, 0.7);
    });
    // What is seen through comes last: where it lies in front, it is drawn over the rest.
    if (floor) {
      p.drawPath(this.grid, ONE, stretching(1.1, 1.1, 1), [...rgb(colours.faint), 0.4], 1);
    }
    options.paths.forEach((direction, i) => {
      const own = direction.length === 1 ? [0, 1, 2].map(k => motion.axes[3 * (direction[0] - 1) + k]) : direction;
      const colour = direction.length === 1 ? colours[`axis${direction[0]}`] : colours.own;
      this.trace(this.tip(own), ONE, colour, t, 2.4);
      if (direction.length > 1) this.axis(`own ${i}`, direction.join(', '), own, turn, colour, reach + 0.02, 2);
    });
  }

  drawEllipsoid(t) {
    const { painter: p, motion, options, colours, turn, now } = this;
    const touch = this.touch(now), place = times(turn, touch);
    const momentum = times(turn, now.m), normal = unit(momentum);
    const height = dot(place, normal);
    if (options.momentum) this.vector('ellipsoid L', 'L', normal, colours.momentum, 1.45);
    if (options.omega && size(place) > 0) this.vector('ellipsoid ω', 'ω', place, colours.omega, 1, 0.85, ASIDE);
    if (options.axes) {
      [0, 1, 2].forEach(k => {
        const d = [motion.axes[3 * k], motion.axes[3 * k + 1], motion.axes[3 * k + 2]];
        this.axis(`ellipsoid axis ${k}`, `${k + 1}`, d, turn, colours[`axis${k + 1}`], this.half[k] + 0.1, 2);
      });
    }
    this.trace(this.polhode, turn, colours.axis1, t, 2.6);
    if (options.herpolhode) this.trace(this.herpolhode, ONE, colours.axis3, t, 2.2);
    if (options.cones) {
      p.drawMesh(this.bodyCone, turn, ONE, [...rgb(colours.axis1), 0.3], { shade: 0.6 });
      // The cone in space of the recent past alone: all of it would be one blot.
      const { times: when, count } = this.herpolhode;
      const from = Math.max(0, passed(when, t - options.trail) - 1), to = Math.min(count - 1, passed(when, t));
      if (to > from) {
        const range = { shade: 0.6, from: 3 * from, count: 3 * (to - from) };
        p.drawMesh(this.spaceCone, ONE, ONE, [...rgb(colours.axis3), 0.3], range);
      }
    }
    p.drawMesh(this.ball, turn, this.form, [...rgb(colours.faint), 0.28]);
    if (options.herpolhode && size(place) > 0) {
      const [first, second] = across(normal);
      const at = scaled(normal, height);
      p.drawMesh(this.square, [...first, ...second, ...normal], stretching(1.15, 1.15, 1), [...rgb(colours.other), 0.16], { at, shade: 0 });
    }
  }
}
