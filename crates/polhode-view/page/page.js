const film = JSON.parse(document.getElementById('film').textContent);
const byId = id => document.getElementById(id);
const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 64];
const VIEW = { longitude: -0.9, latitude: 0.32, zoom: 1 };

const open = () => {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const first = film.runs[0];
  const options = {
    ...VIEW, theme: dark ? 'dark' : 'light', momentumUp: first.free, trail: 0,
    body: true, ellipsoid: film.runs.length === 1 && first.free, axes: true, space: !first.free, momentum: true, omega: true,
    herpolhode: first.free, cones: false, arrows: true, readBack: false, paths: first.path ? [[first.path]] : [],
  };
  let motions, begin, end, rate, charts = [];
  const take = made => {
    motions = made;
    begin = Math.min(...motions.map(m => m.begin));
    end = Math.max(...motions.map(m => m.end));
    const pace = Math.max(...motions.map(m => m.pace));
    // A third of a turn a second, but not all of it in less than six.
    rate = Math.min(pace > 0 ? 2.1 / pace : Infinity, (end - begin) / 6 || 1);
    options.trail = pace > 0 ? 12 / pace : end - begin;
  };
  take(film.runs.map(run => new Motion({ ...run, several: film.runs.length > 1 })));
  const state = { t: begin, playing: !still, speed: SPEEDS.indexOf(1), stale: true, before: null, frames: 0 };

  const tell = (canvas, note, { run }) => {
    canvas.setAttribute('aria-label', `${run.name}: the body turning in three dimensions. ${run.alt}`);
    note.textContent = run.note;
    note.hidden = !run.note;
  };
  const stages = motions.map(motion => {
    const canvas = element('canvas', { tabIndex: 0 });
    canvas.setAttribute('role', 'img');
    const note = element('p', { className: 'note' });
    tell(canvas, note, motion);
    const labels = element('div', { className: 'labels', ariaHidden: 'true' });
    const corners = [0, 1].map(() => element('div', { className: 'corner' }));
    const view = element('div', { className: 'view' }, canvas, labels, ...corners);
    const stage = element('section', { className: 'stage' }, view);
    stage.setAttribute('aria-label', motion.run.name);
    stage.prepend(note);
    if (film.runs.length > 1) stage.prepend(element('h2', { textContent: motion.run.name }));
    byId('stages').append(stage);
    try {
      return Object.assign(new Stage(motion, stage, options), { note });
    } catch (error) {
      stage.remove();
      throw error;
    }
  });

  const seek = t => {
    state.t = Math.max(begin, Math.min(end, t));
    state.stale = true;
  };
  const plot = () => {
    charts = motions.flatMap(motion => chartsOf(motion).map(spec => new TimeChart(spec, motion, options, seek)));
    byId('charts').replaceChildren(...charts.map(chart => chart.figure));
  };
  plot();

  // The controls.
  const [play, slider, clock, speed] = ['play', 'time', 'clock', 'speed'].map(byId);
  const span = () => Object.assign(slider, { min: begin, max: end, step: 'any', value: state.t });
  span();
  SPEEDS.forEach((s, i) => speed.append(element('option', { value: i, textContent: s < 1 ? `1/${1 / s}` : `${s}` })));
  const setSpeed = i => {
    state.speed = Math.max(0, Math.min(SPEEDS.length - 1, i));
    speed.value = state.speed;
    speed.title = `A second shows ${digits(rate * SPEEDS[state.speed])} ${motions[0].run.units[0] || 'units of time'}`;
  };
  const setPlaying = playing => {
    if (playing && state.t >= end) seek(begin);
    state.playing = playing;
    state.before = null;
    play.textContent = playing ? 'Pause' : 'Play';
  };
  const setTheme = theme => {
    options.theme = theme;
    document.documentElement.dataset.theme = theme;
    charts.forEach(chart => chart.draw());
    state.stale = true;
  };
  play.addEventListener('click', () => setPlaying(!state.playing));
  slider.addEventListener('input', () => seek(Number(slider.value)));
  speed.addEventListener('change', () => setSpeed(Number(speed.value)));

  const shown = byId('shown');
  const boxes = [];
  // The boxes say what is shown.
  const tick = () => { boxes.forEach(({ box, value }) => { box.checked = value(); }); state.stale = true; };
  const choice = (text, value, change, key = null) => {
    const box = element('input', { type: 'checkbox', checked: value() });
    boxes.push({ box, value });
    box.addEventListener('change', () => { change(box.checked); state.stale = true; });
    const label = element('label', {}, box, ` ${text}`);
    if (key) {
      const mark = element('span', { className: 'key' });
      mark.dataset.colour = key;
      label.append(' ', mark);
    }
    shown.append(label);
    return box;
  };
  const flag = (text, key, colour) => choice(text, () => options[key], on => { options[key] = on; }, colour);
  flag('body', 'body');
  flag('inertia ellipsoid with polhode', 'ellipsoid', 'axis1');
  flag('momentum L', 'momentum', 'momentum');
  flag('angular velocity ω', 'omega', 'omega');
  flag('body axes', 'axes');
  flag('space axes', 'space');
  flag('plane and herpolhode', 'herpolhode', 'axis3');
  flag('cones', 'cones');
  if (film.runs.some(run => run.arrows.length)) flag(film.runs.flatMap(run => run.arrows.map(a => a.name))[0], 'arrows', 'other');
  const same = (a, b) => a.join() === b.join();
  [1, 2, 3].forEach(k => choice(`path of axis ${k}`, () => options.paths.some(p => same(p, [k])), on => {
    options.paths = on ? [...options.paths, [k]] : options.paths.filter(p => !same(p, [k]));
  }, `axis${k}`));
  const own = element('input', { type: 'text', size: 9, placeholder: 'x, y, z' });
  own.setAttribute('aria-label', 'Path of this direction of the body: three numbers');
  own.addEventListener('change', () => {
    const numbers = own.value.split(/[ ,;]+/).filter(Boolean).map(Number);
    const usable = numbers.length === 3 && numbers.every(Number.isFinite) && numbers.some(x => x !== 0);
    own.setCustomValidity(usable || !own.value ? '' : 'three numbers, not all zero');
    own.reportValidity();
    options.paths = [...options.paths.filter(p => p.length === 1), ...(usable ? [numbers] : [])];
    state.stale = true;
  });
  shown.append(element('label', {}, 'path of ', own));
  choice('momentum upwards', () => options.momentumUp, on => { options.momentumUp = on; });
  const back = () => { Object.assign(options, VIEW); state.stale = true; };
  shown.append(element('button', { type: 'button', textContent: 'Reset view', onclick: back }));
  shown.append(element('button', { type: 'button', textContent: 'Light or dark', onclick: () => setTheme(options.theme === 'dark' ? 'light' : 'dark') }));

  // Looking around.
  const look = (dx, dy) => {
    options.longitude -= dx;
    options.latitude = Math.max(-1.5, Math.min(1.5, options.latitude + dy));
    state.stale = true;
  };
  const zoom = factor => { options.zoom = Math.max(0.3, Math.min(6, options.zoom * factor)); state.stale = true; };
  for (const { canvas } of stages) {
    const fingers = new Map();
    const apart = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
    canvas.addEventListener('pointerdown', e => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, [e.clientX, e.clientY]); });
    canvas.addEventListener('pointermove', e => {
      const from = fingers.get(e.pointerId);
      if (!from) return;
      const before = fingers.size === 2 ? apart() : 0;
      fingers.set(e.pointerId, [e.clientX, e.clientY]);
      if (fingers.size === 2 && before > 0) zoom(apart() / before);
      else look((e.clientX - from[0]) * 0.009, (e.clientY - from[1]) * 0.009);
    });
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, e => fingers.delete(e.pointerId));
    canvas.addEventListener('wheel', e => { e.preventDefault(); zoom(Math.exp(-e.deltaY * 0.001)); }, { passive: false });
    canvas.addEventListener('keydown', e => {
      const turn = { ArrowLeft: [-0.08, 0], ArrowRight: [0.08, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] }[e.key];
      if (turn) look(...turn);
      else if (e.key === '+' || e.key === '=') zoom(1.1);
      else if (e.key === '-') zoom(1 / 1.1);
      else return;
      e.preventDefault();
    });
    canvas.addEventListener('webglcontextlost', e => { e.preventDefault(); location.reload(); });
  }
  document.addEventListener('keydown', e => {
    if (e.target.matches('input[type="text"], select') || e.ctrlKey || e.altKey || e.metaKey) return;
    const step = (end - begin) / 500;
    const action = {
      ' ': () => setPlaying(!state.playing), ',': () => seek(state.t - step), '.': () => seek(state.t + step),
      Home: () => seek(begin), End: () => seek(end), '[': () => setSpeed(state.speed - 1), ']': () => setSpeed(state.speed + 1),
      r: back, R: back, d: () => setTheme(options.theme === 'dark' ? 'light' : 'dark'), D: () => setTheme(options.theme === 'dark' ? 'light' : 'dark'),
    }[e.key];
    // A button or a box in focus has the space bar for itself.
    if (!action || (e.key === ' ' && e.target.matches('button, input[type="checkbox"], summary'))) return;
    e.preventDefault();
    action();
  });

  const show = () => {
    stages.forEach(stage => stage.draw(state.t));
    charts.forEach(chart => chart.show(state.t));
    if (document.activeElement !== slider || state.playing) slider.value = state.t;
    clock.textContent = `t = ${digits(state.t, 6)} ${motions[0].run.units[0]}`.trim();
    slider.setAttribute('aria-valuetext', clock.textContent);
    for (const mark of document.querySelectorAll('.key')) mark.style.background = PALETTE[options.theme][mark.dataset.colour];
    state.frames += 1;
    state.stale = false;
  };
  const frame = now => {
    if (state.playing) {
      const passedBy = state.before === null ? 0 : Math.min(0.1, (now - state.before) / 1000);
      state.before = now;
      // Again from the beginning.
      const t = state.t + passedBy * rate * SPEEDS[state.speed];
      seek(t > end ? begin : t);
    }
    if (state.stale) show();
    requestAnimationFrame(frame);
  };
  new ResizeObserver(() => { charts.forEach(chart => chart.draw()); state.stale = true; }).observe(byId('stages'));

  // A link to a moment: motion.html#t=3.5 stands still there.
  const moment = Number(new URLSearchParams(location.hash.slice(1)).get('t') ?? NaN);
  if (Number.isFinite(moment)) {
    state.playing = false;
    seek(moment);
  }

  // Other motions in the place of these, as many as before.
  const replace = made => {
    take(made);
    stages.forEach((stage, i) => { stage.change(motions[i]); tell(stage.canvas, stage.note, motions[i]); });
    seek(state.t);
    plot();
    charts.forEach(chart => chart.draw());
    span();
    setSpeed(state.speed);
  };

  byId('still').hidden = true;
  byId('controls').hidden = false;
  shown.hidden = false;
  setSpeed(state.speed);
  setTheme(options.theme);
  setPlaying(state.playing);
  requestAnimationFrame(frame);
  // For other programs, and for tests.
  window.polhode = {
    state, options, stages, seek, show, setPlaying, replace, tick,
    get begin() { return begin; }, get end() { return end; }, get motions() { return motions; }, get charts() { return charts; },
  };
};

try {
  open();
} catch (error) {
  // Without WebGL2 the still picture stays, and the page says why.
  byId('stages').replaceChildren();
  byId('charts').replaceChildren();
  byId('still').prepend(element('p', { textContent: `This browser cannot draw in three dimensions (${error.message}): a still picture instead.` }));
}
