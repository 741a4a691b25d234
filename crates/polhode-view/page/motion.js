const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
const doubles = text => new Float64Array(bytes(text));
const floats = text => new Float32Array(bytes(text));

// A motion between samples so close that what lies between them follows from its neighbours.
class Motion {
  constructor(run) {
    this.run = run;
    this.t = doubles(run.t);
    this.q = floats(run.q);
    this.m = floats(run.m);
    // Told where something turns inside the body; elsewhere it follows from the momentum.
    this.w = run.w ? floats(run.w) : null;
    this.count = this.t.length;
    const most = Math.max(...run.moments);
    const moments = run.moments.map(i => i / most);
    this.axes = turning(run.axes);
    this.moments = moments;
    const inverse = stretching(...moments.map(i => 1 / i));
    this.inverse = product(product(this.axes, inverse), transposed(this.axes));
    this.tensor = product(product(this.axes, stretching(...moments)), transposed(this.axes));
    this.fastest = 0;
    this.longest = 0;
    let turned = 0;
    for (let i = 0; i < this.count; i++) {
      this.longest = Math.max(this.longest, size(this.momentum(i)));
      this.fastest = Math.max(this.fastest, size(this.velocity(i)));
      if (i > 0) turned += this.turn(i - 1);
    }
    // Radians in a unit of time.
    this.pace = turned / (this.end - this.begin || 1);
    this.watched = run.watched.map(w => ({ ...w, values: floats(w.values) }));
    this.arrows = run.arrows.map(a => ({ name: a.name, values: floats(a.values) }));
    this.last = 0;
  }

  get begin() { return this.t[0]; }
  get end() { return this.t[this.count - 1]; }
  attitude(i) { return [this.q[4 * i], this.q[4 * i + 1], this.q[4 * i + 2], this.q[4 * i + 3]]; }
  momentum(i) { return [this.m[3 * i], this.m[3 * i + 1], this.m[3 * i + 2]]; }
  omega(m) { return times(this.inverse, m); }
  // Of any unit: only directions and ratios are shown.
  velocity(i) { return this.w ? [this.w[3 * i], this.w[3 * i + 1], this.w[3 * i + 2]] : this.omega(this.momentum(i)); }

  // The angle between a sample and the next.
  turn(i) {
    const [a, b] = [this.attitude(i), this.attitude(i + 1)];
    const c = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return 2 * Math.acos(Math.min(1, c));
  }

  // The sample before a time, and which part of the way to the next has gone.
  place(t) {
    const n = this.count;
    if (n < 2 || t <= this.t[0]) return [0, 0];
    if (t >= this.t[n - 1]) return [n - 2, 1];
    let low = this.last;
    if (!(this.t[low] <= t && t < this.t[low + 1])) {
      let high = n - 1;
      low = 0;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.t[middle] <= t) low = middle; else high = middle;
      }
    }
    this.last = low;
    return [low, (t - this.t[low]) / (this.t[low + 1] - this.t[low])];
  }

  at(t) {
    const [i, s] = this.place(t);
    return this.between(i, s);
  }

  between(i, s) {
    if (this.count < 2) return { q: this.attitude(0), m: this.momentum(0), w: this.velocity(0) };
    const q = slerp(this.attitude(i), this.attitude(i + 1), s);
    const m = sum(scaled(this.momentum(i), 1 - s), scaled(this.momentum(i + 1), s));
    const w = this.w ? sum(scaled(this.velocity(i), 1 - s), scaled(this.velocity(i + 1), s)) : this.omega(m);
    return { q, m, w };
  }

  // A number that belongs to each sample, at a time.
  value(values, t) {
    if (this.count < 2) return values[0];
    const [i, s] = this.place(t);
    return s === 0 ? values[i] : s === 1 ? values[i + 1] : (1 - s) * values[i] + s * values[i + 1];
  }

  arrow(a, t) {
    if (this.count < 2) return [0, 1, 2].map(k => a.values[k]);
    const [i, s] = this.place(t);
    return [0, 1, 2].map(k => (1 - s) * a.values[3 * i + k] + s * a.values[3 * i + 3 + k]);
  }

  // Points along the motion, closer than the samples where the body turns far from one to the next: what
  // `point` makes of each state, and their times.
  path(point, most = 120000) {
    // So fine that it looks smooth, as long as there is room for it.
    let fine = 0.08;
    const parts = i => Math.max(1, Math.ceil(this.turn(i) / fine));
    const total = () => { let n = 0; for (let i = 0; i + 1 < this.count; i++) n += parts(i); return n; };
    while (total() > most && fine < 2) fine *= 2;
    const times = [], points = [];
    const take = (t, state) => { times.push(t); points.push(...point(state)); };
    for (let i = 0; i + 1 < this.count; i++) {
      const n = parts(i);
      for (let k = 0; k < n; k++) take(this.t[i] + (this.t[i + 1] - this.t[i]) * (k / n), this.between(i, k / n));
    }
    take(this.end, this.between(Math.max(0, this.count - 2), 1));
    return { times: Float64Array.from(times), points: Float32Array.from(points), count: times.length };
  }
}

// How many of these times have passed.
const passed = (times, t) => {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1; else high = middle;
  }
  return low;
};
