const CHART_COLOURS = { light: ['#0072b2', '#d55e00', '#009e73', '#b4478f'], dark: ['#56b4e9', '#ff8a3d', '#3ddfae', '#ee44a8'] };
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

const digits = (x, count = 4) => {
  if (!Number.isFinite(x)) return '-';
  const a = Math.abs(x);
  return a !== 0 && (a < 1e-3 || a >= 1e6) ? x.toExponential(count - 2) : String(Number(x.toPrecision(count)));
};
const inUnits = (words, unit) => (unit ? `${words} (${unit})` : words);
// Round numbers within a range.
const ticks = (low, high, most) => {
  const rough = (high - low) / most;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough * (1 - 1e-9));
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(i * step);
  return out;
};

// More rises and falls side by side than this are one blot; of several curves, half as many.
const MOST_TURNS = 90;

// How often a curve rises and falls by enough to be seen.
const turnsOf = (values, enough) => {
  let turns = 0, rising = null, [low, high] = [Infinity, -Infinity];
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    low = Math.min(low, x);
    high = Math.max(high, x);
    if (rising === null ? high - low > enough : rising ? high - x > enough : x - low > enough) {
      rising = rising === null ? x === high : !rising;
      [low, high] = [x, x];
      turns++;
    }
  }
  return turns;
};

// Curves over time, with the time of the slider marked. One that has too many waves is shown page by page.
class TimeChart {
  constructor(spec, motion, options, seek) {
    Object.assign(this, { spec, motion, options, page: 0 });
    const figure = document.createElement('figure');
    figure.className = 'chart';
    const caption = document.createElement('figcaption');
    const what = document.createElement('span');
    what.className = 'what';
    what.textContent = spec.title;
    caption.append(what);
    this.values = spec.curves.map((_, k) => {
      const value = document.createElement('span');
      value.className = 'value';
      const [sample, line] = ['svg', 'line'].map(name => document.createElementNS('http://www.w3.org/2000/svg', name));
      for (const [key, of] of Object.entries({ width: 30, height: 8, 'aria-hidden': 'true' })) sample.setAttribute(key, of);
      for (const [key, of] of Object.entries({ x2: 30, y1: 4, y2: 4, 'stroke-width': 2, 'stroke-dasharray': DASHES[k % 4].join(' ') || 'none' })) line.setAttribute(key, of);
      sample.append(line);
      const told = document.createElement('span');
      value.append(sample, ' ', told);
      caption.append(value);
      return { value, told, line };
    });
    const plot = document.createElement('div');
    plot.className = 'plot';
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.cursor = document.createElement('div');
    this.cursor.className = 'cursor';
    plot.append(this.canvas, this.cursor);
    figure.append(caption, plot);
    this.figure = figure;
    const point = e => {
      const box = plot.getBoundingClientRect();
      const share = (e.clientX - box.left - this.left) / (box.width - this.left - this.right);
      const [from, to] = this.span;
      seek(from + Math.max(0, Math.min(1, share)) * (to - from));
    };
    plot.addEventListener('pointerdown', e => { plot.setPointerCapture(e.pointerId); point(e); });
    plot.addEventListener('pointermove', e => { if (e.buttons) point(e); });
    this.measure();
    const turns = Math.max(...spec.curves.map(curve => turnsOf(this.scaled(curve.values), this.enough)));
    const most = spec.curves.length > 1 ? MOST_TURNS / 2 : MOST_TURNS;
    // A second page is not worth it for less than half of one.
    this.pages = turns > 1.5 * most ? Math.ceil(turns / most) : 1;
    this.width = (motion.end - motion.begin) / this.pages;
  }

  // As they stand on the axis: logarithms, where it has them.
  scaled(values) { return this.spec.log ? Float64Array.from(values, x => (x > 0 ? Math.log10(x) : NaN)) : values; }

  // The times on this page.
  get span() {
    const from = this.motion.begin + this.page * this.width;
    return [from, this.page + 1 === this.pages ? this.motion.end : from + this.width];
  }

  measure() {
    let [low, high] = [Infinity, -Infinity];
    for (const { values } of this.spec.curves) for (const x of values) {
      if (Number.isFinite(x) && !(this.spec.log && x <= 0)) { low = Math.min(low, x); high = Math.max(high, x); }
    }
    if (low > high) [low, high] = this.spec.log ? [1e-16, 1] : [0, 1];
    const told = this.spec.curves.map(c => c.name).join(', ');
    this.canvas.setAttribute('aria-label', `${this.spec.title}: ${told} over t, from ${digits(low)} to ${digits(high)}`);
    if (this.spec.log) [low, high] = [Math.floor(Math.log10(low) - 1e-9), Math.ceil(Math.log10(high) + 1e-9)];
    else {
      const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
      [low, high] = [low - room, high + room];
    }
    this.range = [low, high];
    // A twentieth of the axis.
    this.enough = (high - low) / 20;
  }

  draw() {
    const { canvas, motion, span, range: [low, high] } = this, ratio = window.devicePixelRatio || 1;
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    if (!w || !h) return;
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const [ink, grid] = [style.getPropertyValue('--soft'), style.getPropertyValue('--grid')];
    pen.font = '12px system-ui, sans-serif';
    const marks = this.spec.log ? ticks(low, high, 5).filter(Number.isInteger) : ticks(low, high, 5);
    const text = y => (this.spec.log ? `1e${y}` : digits(y));
    this.left = 14 + Math.max(...marks.map(y => pen.measureText(text(y)).width));
    this.right = 14;
    const [top, bottom] = [8, 34];
    const x = t => this.left + (t - span[0]) / (span[1] - span[0] || 1) * (w - this.left - this.right);
    const y = v => h - bottom - (v - low) / (high - low) * (h - top - bottom);
    pen.lineWidth = 1;
    pen.textBaseline = 'middle';
    for (const v of marks) {
      pen.strokeStyle = grid;
      pen.beginPath(); pen.moveTo(this.left, y(v)); pen.lineTo(w - this.right, y(v)); pen.stroke();
      pen.fillStyle = ink; pen.textAlign = 'right';
      pen.fillText(text(v), this.left - 6, y(v));
    }
    pen.textBaseline = 'top'; pen.textAlign = 'center';
    for (const t of ticks(...span, Math.max(2, Math.floor(w / 110)))) {
      pen.strokeStyle = grid;
      pen.beginPath(); pen.moveTo(x(t), top); pen.lineTo(x(t), h - bottom); pen.stroke();
      pen.fillStyle = ink;
      pen.fillText(digits(t), Math.max(this.left, Math.min(w - 18, x(t))), h - bottom + 4);
    }
    const time = inUnits('t', motion.run.units[0]);
    const part = this.pages > 1 ? `${time}, page ${this.page + 1} of ${this.pages}` : time;
    pen.fillText(part, (this.left + w - this.right) / 2, h - 15);
    this.spec.curves.forEach((curve, k) => {
      pen.strokeStyle = CHART_COLOURS[this.options.theme][k % 4];
      pen.setLineDash(DASHES[k % 4]);
      pen.lineWidth = 1.6;
      pen.save();
      pen.beginPath(); pen.rect(this.left, 0, w - this.left - this.right, h); pen.clip();
      pen.beginPath();
      const value = i => (this.spec.log ? (curve.values[i] > 0 ? Math.log10(curve.values[i]) : NaN) : curve.values[i]);
      let column = null, pending = false;
      const flush = () => {
        if (!column) return;
        const [first, second] = column.lowAt <= column.highAt ? [column.low, column.high] : [column.high, column.low];
        if (pending) pen.lineTo(column.x, y(first)); else pen.moveTo(column.x, y(first));
        pen.lineTo(column.x, y(second));
        pen.lineTo(column.x, y(column.last));
        pending = true;
        column = null;
      };
      const [begin, end] = [passed(motion.t, span[0]) - 2, passed(motion.t, span[1]) + 1];
      for (let i = Math.max(0, begin); i < Math.min(motion.count, end); i++) {
        const v = value(i);
        if (!Number.isFinite(v)) { flush(); pending = false; continue; }
        const place = x(motion.t[i]);
        // All that falls into half a pixel is its least and its greatest.
        if (column && Math.abs(place - column.x) > 0.5) flush();
        if (!column) column = { x: place, low: v, high: v, lowAt: i, highAt: i, last: v };
        if (v < column.low) [column.low, column.lowAt] = [v, i];
        if (v > column.high) [column.high, column.highAt] = [v, i];
        column.last = v;
      }
      flush();
      pen.stroke();
      pen.restore();
      pen.setLineDash([]);
    });
    this.x = x;
  }

  show(t) {
    const page = Math.max(0, Math.min(this.pages - 1, Math.floor((t - this.motion.begin) / (this.width || 1))));
    if (page !== this.page) {
      this.page = page;
      this.draw();
    }
    if (!this.x) return;
    this.cursor.style.transform = `translateX(${this.x(Math.min(this.span[1], Math.max(this.span[0], t))).toFixed(1)}px)`;
    this.spec.curves.forEach((curve, k) => {
      const { value, told, line } = this.values[k], colour = CHART_COLOURS[this.options.theme][k % 4];
      value.style.color = colour;
      line.style.stroke = colour;
      told.textContent = `${curve.name} ${digits(this.motion.value(curve.values, t))}`;
    });
  }
}

// The plots of a run: what is watched, then the momentum in the body.
const chartsOf = motion => {
  const { run } = motion;
  const several = text => (run.several ? `${run.name}: ${text}` : text);
  const watched = motion.watched.map(w => ({
    title: several(w.title),
    log: w.log,
    curves: [{ name: w.name, values: Float64Array.from(w.values, x => x * w.scale) }],
  }));
  const component = k => Float64Array.from({ length: motion.count }, (_, i) => motion.m[3 * i + k] * run.scale);
  const momentum = {
    title: several(inUnits('Momentum in the body', run.units[1])),
    curves: [0, 1, 2].map(k => ({ name: `m${k + 1}`, values: component(k) })),
  };
  return [...watched, momentum];
};
