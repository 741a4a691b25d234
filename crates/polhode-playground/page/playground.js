// The order in which the library is told the numbers, and where they stand in a link.
const NUMBERS = ['i1', 'i2', 'i3', 'w1', 'w2', 'w3', 'tilt', 'kind', 'strength', 'tolerance', 'until'];
const USUAL = { i: '3,8,11', w: '0.05,6,0', tilt: '0', torque: 'none', strength: '0', tolerance: '1e-9', until: '20' };

const say = (text, wrong = false) => {
  byId('told').textContent = text;
  byId('told').classList.toggle('wrong', wrong);
};

// A motion whose states are the library's, at every time that is drawn.
class LiveMotion extends Motion {
  constructor(run, library) {
    super({ ...run, several: false });
    this.library = library;
  }

  at(t) {
    const state = this.library && this.library.state(t);
    if (!state) return super.at(t);
    const m = scaled(state.slice(4), 1 / this.run.scale);
    return { q: state.slice(0, 4), m, w: this.omega(m) };
  }
}

class Library {
  constructor({ exports }) {
    this.exports = exports;
  }

  static async load() {
    if (typeof WebAssembly !== 'object') throw new Error('it has no WebAssembly');
    const { instance } = await WebAssembly.instantiate(bytes(byId('library').textContent), {});
    return new Library(instance);
  }

  get text() {
    const { memory, playground_text: at, playground_length: length } = this.exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, at(), length()));
  }

  tell(numbers) { numbers.forEach((value, i) => this.exports.playground_set(i, value)); }

  // What is shown, or an error.
  solve() {
    const well = this.exports.playground_solve() === 1;
    if (!well) throw new Error(this.text);
    return JSON.parse(this.text);
  }

  scenario() {
    this.exports.playground_scenario();
    return this.text;
  }

  state(t) {
    const at = this.exports.playground_state(t);
    return at ? Array.from(new Float64Array(this.exports.memory.buffer, at, 7)) : null;
  }
}

const openPlayground = async () => {
  // A slider with a box to type in, for each setting.
  const settings = {};
  for (const place of document.querySelectorAll('.setting')) {
    const { key, name, low, high, step } = place.dataset;
    const text = element('span', { className: 'name', textContent: name });
    const range = element('input', { type: 'range', min: low, max: high, step });
    const box = element('input', { type: 'number', step: 'any' });
    place.append(text, range, box);
    const setting = {
      place, text, range, box,
      get value() { return Number(box.value); },
      set value(x) { box.value = Number.isFinite(x) ? x : ''; range.value = box.value; },
      call(words) { text.textContent = words; for (const e of [range, box]) e.setAttribute('aria-label', words); },
    };
    setting.call(name);
    settings[key] = setting;
  }
  const torque = byId('torque'), preset = byId('preset');
  const kind = () => torque.options[torque.selectedIndex];

  // The slider of the strength is that of the torque chosen.
  const suit = () => {
    const { slider, most } = kind().dataset, { strength } = settings;
    strength.call(slider);
    strength.range.max = most;
    strength.range.value = strength.box.value;
    strength.place.hidden = torque.value === 'none';
    settings.digits.place.hidden = torque.value === 'none';
  };

  // What a link says; what it leaves out is as usual.
  const read = text => {
    const given = { ...USUAL, ...Object.fromEntries(new URLSearchParams(text)) };
    const [i, w] = [given.i, given.w].map(list => list.split(',').map(Number));
    [1, 2, 3].forEach(k => { settings[`i${k}`].value = i[k - 1] ?? NaN; settings[`w${k}`].value = w[k - 1] ?? NaN; });
    torque.value = given.torque;
    if (torque.selectedIndex < 0) torque.value = 'none';
    for (const key of ['tilt', 'strength', 'until']) settings[key].value = Number(given[key]);
    settings.digits.value = Math.round(Math.log10(Number(given.tolerance)));
    suit();
  };
  const tolerance = () => Number(`1e${settings.digits.value}`);
  const link = () => {
    const list = letter => [1, 2, 3].map(k => settings[letter + k].value).join(',');
    const parts = {
      i: list('i'), w: list('w'), tilt: settings.tilt.value, torque: torque.value,
      strength: settings.strength.value, tolerance: tolerance(), until: settings.until.value,
    };
    return `#${Object.entries(parts).map(([key, value]) => `${key}=${value}`).join('&')}`;
  };
  const numbers = () => NUMBERS.map(key => {
    if (key === 'kind') return torque.selectedIndex;
    return key === 'tolerance' ? tolerance() : settings[key].value;
  });

  const begin = location.hash.slice(1);
  read(begin);
  let library = null;
  const shown = () => {
    if (!library) return;
    const empty = Object.values(settings).find(s => s.box.value === '' || !Number.isFinite(s.value));
    try {
      if (empty) throw new Error(`${empty.text.textContent}: not a number`);
      if (!(settings.until.value > 0)) throw new Error('the end must be after the start, at 0');
      library.tell(numbers());
      const from = performance.now();
      const { runs: [run] } = library.solve();
      const took = performance.now() - from;
      byId('scenario').textContent = library.scenario();
      const { options } = polhode, free = options.free ?? film.runs[0].free;
      polhode.replace([new LiveMotion(run, library)]);
      if (run.free !== free) Object.assign(options, { momentumUp: run.free, space: !run.free, ellipsoid: run.free, herpolhode: run.free });
      Object.assign(options, { free: run.free, paths: run.path ? [[run.path]] : [] });
      polhode.tick();
      say(`Computed in ${Math.max(1, Math.round(took))} ms.`);
    } catch (error) {
      say(`Not possible: ${error.message}. The picture shows the motion before.`, true);
    }
  };
  let waiting = false;
  const change = () => {
    history.replaceState(null, '', link());
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; shown(); });
  };

  for (const setting of Object.values(settings)) {
    const { range, box } = setting;
    range.addEventListener('input', () => { box.value = range.value; preset.value = ''; change(); });
    box.addEventListener('input', () => { range.value = box.value; preset.value = ''; change(); });
  }
  torque.addEventListener('change', () => {
    settings.strength.value = Number(kind().dataset.usual);
    preset.value = '';
    suit();
    change();
  });
  preset.addEventListener('change', () => { if (preset.value) { read(preset.value); polhode.seek(0); change(); } });
  window.addEventListener('hashchange', () => { read(location.hash.slice(1)); shown(); });
  byId('panel').addEventListener('submit', e => e.preventDefault());
  byId('copy').addEventListener('click', async () => {
    history.replaceState(null, '', link());
    try {
      await navigator.clipboard.writeText(location.href);
      say('The link is copied.');
    } catch {
      say(`The link is the address of this page: ${location.href}`);
    }
  });
  byId('save').addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([byId('scenario').textContent], { type: 'application/toml' }));
    element('a', { href: url, download: 'playground.toml' }).click();
    URL.revokeObjectURL(url);
  });

  try {
    if (!window.polhode) throw new Error('it cannot draw in three dimensions');
    library = await Library.load();
    shown();
  } catch (error) {
    byId('settings').disabled = true;
    for (const id of ['copy', 'save', 'export']) byId(id).hidden = true;
    say(`The library does not run in this browser: ${error.message}. What you see is a motion that was recorded.`, true);
  }
  if (window.polhode) Object.assign(polhode, { settings, library, link, ready: true });
};
openPlayground();
