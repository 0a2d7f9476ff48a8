// The page: what is selected and visible, and who has to be told when that changes.
import { CALLBACK, ITERATION } from './kinds.js';
import { formatDuration, formatTime } from './format.js';
import { readTrace } from './data.js';
import { buildModel } from './model.js';
import { byId, element } from './dom.js';
import { rowFacts, rowKind, rowTitle, splitPlace } from './describe.js';
import { startTheme, toggleTheme } from './theme.js';
import { Turn } from './turn.js';
import { LagChart } from './lag.js';
import { Timeline } from './timeline.js';
import { TimelineInput } from './input.js';
import { Table } from './table.js';
import { Search } from './search.js';
import { startKeys } from './keys.js';
import { showOverview } from './overview.js';

const SHORTEST = 200; // ns that fill the timeline at most zoom
const GLIDE = 180; // ms

class App {
  constructor(model) {
    this.model = model;
    this.track =
      model.loops[0] ??
      model.shown.find((track) => track.kind === 'loop') ??
      model.shown[0] ??
      null;
    this.index = 0;
    this.selected = -1;
    this.hovered = null;
    this.matches = new Uint32Array(0);
    this.view = { from: 0, to: model.end };
    this.toggleTheme = toggleTheme;
    this.turn = new Turn(this);
    this.lag = new LagChart(byId('lag'), this);
    this.timeline = new Timeline(byId('timeline'), this);
    this.input = new TimelineInput(this.timeline, this);
    this.table = new Table(this);
    this.search = new Search(this);
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.connect();
  }

  connect() {
    const press = (id, action) => byId(id).addEventListener('click', action);
    press('first', () => this.step(this.firstIndex()));
    press('previous', () => this.step(this.index - 1));
    press('play', () => this.turn.toggle());
    press('next', () => this.step(this.index + 1));
    press('last', () => this.step(Infinity));
    press('zoom-in', () => this.zoom(0.5, undefined, true));
    press('zoom-out', () => this.zoom(2, undefined, true));
    press('zoom-all', () => this.showAll());
    press('zoom-turn', () => this.showTurn());
    press('table-toggle', () => this.table.toggle());
    press('theme', toggleTheme);
    byId('scrub').addEventListener('input', (event) => this.step(Number(event.target.value)));
    byId('speed').addEventListener('change', (event) => {
      this.turn.speed = Number(event.target.value);
    });
    byId('loop').addEventListener('change', (event) => {
      this.chooseLoop(this.model.loops[event.target.value]);
    });
    new ResizeObserver(() => this.redraw()).observe(byId('timeline'));
    startKeys(this);
    startTheme(() => this.redraw());
  }

  start() {
    const { loops } = this.model;
    byId('loop-choice').hidden = loops.length < 2;
    byId('loop').replaceChildren(
      ...loops.map((track, i) => element('option', { value: i }, track.name)),
    );
    this.chooseLoop(this.track);
    this.showDetails();
    const wanted = /^#iteration=(\d+)$/.exec(location.hash);
    if (wanted) this.goToNumber(Number(wanted[1]));
  }

  // An address that ends in #iteration=12 opens at that one, 0 is what ran before the first.
  goToNumber(number) {
    const { ref } = this.track.iterations;
    const index = ref.findIndex((row) => this.model.rows.value[row] === number);
    if (index < 0 && (number !== 0 || this.firstIndex() === 0)) return;
    this.step(index);
    this.showTurn();
  }

  chooseLoop(track) {
    this.track = track;
    if (!track) return;
    byId('loop').value = String(this.model.loops.indexOf(track));
    showOverview(this);
    this.showLagText();
    const scrub = byId('scrub');
    scrub.min = String(this.firstIndex());
    scrub.max = String(Math.max(this.firstIndex(), this.lastIndex()));
    this.index = this.openingIndex();
    this.turn.show();
    this.showPosition();
    this.redraw();
  }

  showLagText() {
    const { lag, iterations } = this.loopFigures;
    byId('lag').setAttribute(
      'aria-label',
      iterations
        ? `Lag over time: median ${formatDuration(lag.median)}, worst ` +
            `${formatDuration(lag.worst)}. Press w to go to the worst.`
        : 'Lag over time: no iteration was recorded.',
    );
  }

  otherLoop() {
    const { loops } = this.model;
    if (loops.length > 1) this.chooseLoop(loops[(loops.indexOf(this.track) + 1) % loops.length]);
  }

  // Where to begin: the first iteration that called something says more than an empty one.
  openingIndex() {
    const { track, model } = this;
    const first = track.callbacks[0]?.ref.find((row) => model.iterationOf[row] >= 0);
    if (first !== undefined) return model.iterationOf[first];
    return track.iterations.count ? 0 : this.firstIndex();
  }

  // -1 stands for what ran before the first iteration.
  firstIndex() {
    const { track, model } = this;
    const first = track?.outside[0];
    const before =
      first !== undefined &&
      (!track.iterations.count || model.rows.start[first] < track.iterations.start[0]);
    return before ? -1 : 0;
  }

  // One more than there are iterations stands for what ran after the last one.
  lastIndex() {
    const { track, model } = this;
    const count = track?.iterations.count ?? 0;
    const last = track?.outside.at(-1);
    const after =
      count > 0 &&
      last !== undefined &&
      model.rows.start[last] >= track.iterations.end[count - 1];
    return after ? count : count - 1;
  }

  // Goes to an iteration of the loop; the timeline follows unless told not to.
  step(index, follow = true) {
    if (!this.track) return;
    const wanted = Math.max(this.firstIndex(), Math.min(this.lastIndex(), index));
    if (wanted === this.index && this.selected < 0) return;
    this.index = wanted;
    this.selected = -1;
    this.turn.show();
    this.showPosition();
    this.showDetails();
    if (follow) this.followTurn();
    this.redraw();
  }

  showPosition() {
    const scrub = byId('scrub');
    scrub.value = String(this.index);
    const { iteration } = this.turn;
    const text = iteration ? `${iteration.label} ${iteration.number || ''}`.trim() : 'none';
    scrub.setAttribute('aria-valuetext', text);
    scrub.disabled = scrub.min === scrub.max;
    byId('first').disabled = byId('previous').disabled = this.index <= this.firstIndex();
    byId('last').disabled = byId('next').disabled =
      this.index >= this.lastIndex();
    byId('play').disabled = !iteration;
  }

  turnSpan() {
    const { iteration } = this.turn;
    return iteration
      ? [iteration.start, iteration.start + iteration.duration]
      : [0, this.model.end];
  }

  // Keeps the iteration in view: moves when it is outside, zooms when it would be a speck.
  followTurn() {
    const [from, to] = this.turnSpan();
    const size = this.view.to - this.view.from;
    const length = to - from;
    if (length * 400 < size || length > size) this.showSpan(from, to, 0.5);
    else if (from < this.view.from || to > this.view.to) {
      const middle = (from + to) / 2;
      this.setView(middle - size / 2, middle + size / 2, true);
    }
  }

  nextEntry(direction) {
    const entries = this.turn.entries();
    const at = entries.indexOf(this.selected);
    const row = at < 0 && direction < 0 ? undefined : entries[at + direction];
    if (row !== undefined) this.select(row);
    else this.step(this.index + direction);
  }

  // The iterations with the most lag, one after the other.
  worst(direction) {
    const { track } = this;
    if (!track?.iterations.count) return;
    if (this.worstTrack !== track) {
      const order = Uint32Array.from(track.lag, (_, i) => i);
      this.worstOrder = order.sort((a, b) => track.lag[b] - track.lag[a]).slice(0, 100);
      this.worstTrack = track;
      this.worstAt = direction > 0 ? -1 : 0;
    }
    const count = this.worstOrder.length;
    this.worstAt = (this.worstAt + direction + count) % count;
    this.step(this.worstOrder[this.worstAt]);
  }

  // Selects a row (-1: none); shows it in the timeline unless told not to.
  select(row, follow = true) {
    this.selected = row;
    if (row >= 0) {
      const track = this.model.tracks[this.model.rows.track[row]];
      if (track !== this.track && this.model.loops.includes(track)) this.chooseLoop(track);
      this.selectTurn(row, track);
      if (follow) this.showRow(row);
    } else {
      this.turn.pointAt(-1);
    }
    this.showDetails();
    this.table.refresh();
    this.redraw();
  }

  // Selects the first callback or tick of the function; false if there is none.
  selectNamed(name) {
    const { rows } = this.model;
    const wanted = (row) =>
      rows.kind[row] >= CALLBACK && splitPlace(rowTitle(this.model, row))[0] === name;
    for (let row = 0; row < rows.count; row++) {
      if (!wanted(row)) continue;
      this.select(row);
      return true;
    }
    return false;
  }

  // From the beginning of one iteration to the end of another, by their numbers.
  showTurns(first, last) {
    const { iterations } = this.track;
    const at = (number) => iterations.ref.findIndex((r) => this.model.rows.value[r] === number);
    if (at(first) < 0 || at(last) < 0) return false;
    this.showSpan(iterations.start[at(first)], iterations.end[at(last)]);
    return true;
  }

  selectTurn(row, track) {
    if (track !== this.track) return;
    const { count, start, end } = track.iterations;
    const at = this.model.rows.start[row];
    let index = this.model.iterationOf[row];
    if (index < 0 && count && at >= end[count - 1]) index = count;
    const between = index < 0 && at >= (start[0] ?? Infinity);
    const shown = !between && index >= this.firstIndex() && index <= this.lastIndex();
    if (index !== this.index && shown) {
      this.index = index;
      this.turn.show();
      this.showPosition();
    }
    this.turn.pointAt(row);
  }

  showDetails() {
    const { model, selected } = this;
    const box = byId('details');
    if (selected < 0) {
      box.replaceChildren(
        element(
          'p',
          { class: 'muted' },
          model.rows.count
            ? 'Select something to see its details. Wheel zooms, dragging moves, ? shows all keys.'
            : 'Nothing was recorded: the program may have ended before its loop did anything.',
        ),
      );
      return;
    }
    box.replaceChildren(
      element(
        'p',
        {},
        element('strong', {}, rowTitle(model, selected)),
        model.rows.kind[selected] === ITERATION
          ? ''
          : element('span', { class: 'muted' }, ` ${rowKind(model, selected)}`),
      ),
      element(
        'dl',
        {},
        ...rowFacts(model, selected).map(([label, text]) =>
          element('div', {}, element('dt', {}, label), element('dd', {}, text)),
        ),
      ),
    );
  }

  showRow(row, closely = false) {
    if (row < 0) return;
    const { rows } = this.model;
    const from = rows.start[row];
    const to = from + rows.duration[row];
    const size = this.view.to - this.view.from;
    const speck = rows.duration[row] > 0 && rows.duration[row] * 200 < size;
    if (closely || speck || to - from > size) this.showSpan(from, to, closely ? 0.1 : 1.5);
    else if (from < this.view.from || to > this.view.to) {
      const middle = (from + to) / 2;
      this.setView(middle - size / 2, middle + size / 2, true);
    }
  }

  showSpan(from, to, margin = 0.05) {
    const extra = Math.max((to - from) * margin, SHORTEST / 2);
    this.setView(from - extra, to + extra, true);
  }

  showTurn() {
    const [from, to] = this.turnSpan();
    this.showSpan(from, to);
  }

  showAll() {
    this.setView(0, this.model.end, true);
  }

  scroll(pixels) {
    this.timeline.scrollBy(pixels);
    this.redraw();
  }

  focusSearch() {
    byId('query').focus();
    byId('query').select();
  }

  // By nanoseconds, or by a part of what is visible.
  pan(amount, byPart = false) {
    const { from, to } = this.target ?? this.view;
    const by = byPart ? amount * (to - from) : amount;
    this.setView(from + by, to + by, byPart);
  }

  zoom(factor, around, smooth = false) {
    const { from, to } = this.target ?? this.view;
    const centre = around ?? (from + to) / 2;
    this.setView(centre + (from - centre) * factor, centre + (to - centre) * factor, smooth);
  }

  // Kept within the trace, with a little air at its ends.
  setView(from, to, smooth = false) {
    const air = this.model.end * 0.02;
    const size = Math.min(Math.max(to - from, SHORTEST), this.model.end + 2 * air);
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - size / 2, -air), this.model.end + air - size);
    this.target = { from: start, to: start + size };
    if (!smooth || this.calm.matches) {
      this.view = this.target;
      this.target = null;
      this.viewChanged();
    } else {
      this.glide({ ...this.view }, performance.now());
    }
  }

  glide(origin, began) {
    const { target } = this;
    const tick = (now) => {
      if (this.target !== target) return;
      const part = Math.min(1, (now - began) / GLIDE);
      const eased = 1 - (1 - part) ** 3;
      this.view = {
        from: origin.from + (target.from - origin.from) * eased,
        to: origin.to + (target.to - origin.to) * eased,
      };
      if (part === 1) this.target = null;
      else requestAnimationFrame(tick);
      this.viewChanged();
    };
    requestAnimationFrame(tick);
  }

  viewChanged() {
    if (!this.target) {
      clearTimeout(this.tableTimer);
      this.tableTimer = setTimeout(() => this.table.refresh(), 200);
    }
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const { from, to } = this.view;
    const size = to - from;
    byId('view-range').textContent =
      `${formatTime(Math.max(0, from), size / 1000)} to ` +
      `${formatTime(Math.min(this.model.end, to), size / 1000)} (${formatDuration(size)})`;
    this.timeline.draw();
    this.lag.draw();
  }
}

function fail(text) {
  byId('meta').textContent = '';
  byId('problem').textContent = text;
  byId('problem').hidden = false;
  document.body.classList.add('failed');
  startTheme(() => {});
}

function main() {
  let trace;
  try {
    trace = readTrace(document);
  } catch (error) {
    fail(`The data in this page can't be read. ${error.message}`);
    return;
  }
  if (!trace) {
    fail(
      'There is no trace in this page. "phasor report --html out.html FILE" writes one that has.',
    );
    return;
  }
  const app = new App(buildModel(trace));
  globalThis.phasorPage = app;
  app.start();
  app.drawNow();
  document.body.dataset.ready = 'true';
}

main();
