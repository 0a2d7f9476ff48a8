// The page: what is selected and visible, and who has to be told when that changes.
import { CALLBACK, OUTSIDE, SAMPLE } from './kinds.js';
import { formatDuration, formatTime } from './format.js';
import { readTrace } from './data.js';
import { buildModel } from './model.js';
import { byId, element } from './dom.js';
import { loopLabel, rowTitle, splitPlace } from './describe.js';
import { startTheme, toggleTheme } from './theme.js';
import { View } from './view.js';
import { readAddress, writeAddress } from './address.js';
import { Turn } from './turn.js';
import { LagChart } from './lag.js';
import { Strip } from './strip.js';
import { Timeline } from './timeline.js';
import { TimelineInput } from './input.js';
import { Table } from './table.js';
import { Search } from './search.js';
import { Functions } from './functions.js';
import { Flame } from './flame.js';
import { showSelection } from './selection.js';
import { startKeys } from './keys.js';
import { showLoop, showRecording } from './overview.js';
import { loopFigures } from './summary.js';
import { startLive } from './live.js';

const QUICK = 1e6;
const SHARE_OF_OPENING = 0.05; // A worst turn that is shorter than this is zoomed to.

class App {
  constructor(model) {
    this.model = model;
    this.selected = -1;
    this.hovered = null;
    this.range = null;
    this.colourBy = 'time';
    this.matches = new Uint32Array(0);
    this.view = new View(
      () => this.model,
      () => this.viewChanged(),
    );
    this.toggleTheme = toggleTheme;
    this.turn = new Turn(this);
    this.strip = new Strip(byId('strip'), this);
    this.timeline = new Timeline(byId('timeline'), this);
    this.lag = new LagChart(byId('lag'), this);
    this.input = new TimelineInput(this.timeline, this.lag.canvas, this);
    this.table = new Table(this);
    this.search = new Search(this);
    this.functions = new Functions(this);
    this.flame = new Flame(this);
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
    press('colour', () => this.changeColour());
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
    addEventListener('hashchange', () => this.follow(readAddress(location.hash)));
    startKeys(this);
    startTheme(() => this.redraw());
  }

  // Shows the model from its beginning: the worst turn of the worst loop, or what the address says.
  start() {
    const wanted = readAddress(location.hash);
    this.load();
    this.chooseLoop(this.worstLoop());
    this.openingColour();
    this.showWorst();
    this.follow(wanted);
  }

  // Where everything is quick, the phases say more than the times.
  openingColour() {
    const slowest = Math.max(0, ...[...this.figures.values()].map(({ lag }) => lag.worst));
    if (slowest < QUICK) this.changeColour();
  }

  // What depends on the model, but not on what is selected.
  load() {
    const { loops } = this.model;
    this.worstTrack = null;
    this.figures = new Map(loops.map((track) => [track, loopFigures(this.model, track)]));
    byId('loop-choice').hidden = loops.length < 2;
    byId('loop').replaceChildren(
      ...loops.map((track, i) => element('option', { value: i }, loopLabel(this.model, track))),
    );
    this.timeline.load();
    showRecording(this);
    this.functions.show();
    this.flame.show();
  }

  // In a live page: the same turn and the same time in newer data, where they are still there.
  replace(model) {
    const old = this.track?.index;
    const number = this.turn.iteration?.number;
    const { from, to, size } = this.view;
    const whole = size >= this.model.end - this.model.begin;
    this.model = model;
    this.hovered = null;
    this.load();
    this.chooseLoop(model.loops.find((track) => track.index === old) ?? this.worstLoop());
    const turns = this.track?.iterations.ref ?? [];
    const index = turns.findIndex((row) => model.rows.value[row] === number);
    this.step(index < 0 ? Infinity : index, false);
    if (whole || from < model.begin) this.view.set(model.begin, model.end);
    else this.view.set(from, to);
  }

  follow({ range, iteration, loop }) {
    const track = loop === null ? null : this.model.loops[loop - 1];
    if (track && track !== this.track) this.chooseLoop(track);
    if (range) {
      this.setRange(range[0], range[1]);
      this.view.span(range[0], range[1], 0.25);
    } else if (iteration !== null) this.goToNumber(iteration);
  }

  // An address that ends in #iteration=12 opens at that one, 0 is what ran before the first.
  goToNumber(number) {
    const { ref } = this.track.iterations;
    const index = ref.findIndex((row) => this.model.rows.value[row] === number);
    if (index < 0 && (number !== 0 || this.firstIndex() === 0)) return;
    this.step(index);
    this.showTurn();
  }

  address() {
    const { loops } = this.model;
    return writeAddress({
      range: this.range,
      iteration: this.turn.iteration?.number ?? null,
      loop: loops.length > 1 ? loops.indexOf(this.track) + 1 : null,
    });
  }

  worstLoop() {
    const { loops, shown } = this.model;
    const worst = (track) => this.figures.get(track).lag.worst;
    const first = loops.reduce((a, b) => (worst(b) > worst(a) ? b : a), loops[0]);
    return first ?? shown.find((track) => track.kind === 'loop') ?? shown[0] ?? null;
  }

  showWorst() {
    if (!this.track?.stalls.count) return;
    this.worst(1);
    const [from, to] = this.turnSpan();
    const speck = to - from < (this.model.end - this.model.begin) * SHARE_OF_OPENING;
    if (speck && this.figures.get(this.track)?.lag.worst >= 1e6) this.view.span(from, to, 1.5);
    else this.showAll();
  }

  chooseLoop(track) {
    this.track = track;
    if (!track) return;
    byId('loop').value = String(this.model.loops.indexOf(track));
    this.loopFigures = this.figures.get(track) ?? loopFigures(this.model, track);
    showLoop(this);
    this.showLagText();
    const scrub = byId('scrub');
    scrub.min = String(this.firstIndex());
    scrub.max = String(Math.max(this.firstIndex(), this.lastIndex()));
    this.index = this.openingIndex();
    this.selected = -1;
    this.turn.show();
    this.showPosition();
    this.told();
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

  // The first iteration that called something says more than an empty one.
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
      count > 0 && last !== undefined && model.rows.start[last] >= track.iterations.end[count - 1];
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
    if (follow) this.followTurn();
    this.told();
  }

  // After the selection, the turn, the loop or the range has changed.
  told() {
    showSelection(this);
    this.flame.show();
    this.table.refresh();
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
    byId('last').disabled = byId('next').disabled = this.index >= this.lastIndex();
    byId('play').disabled = !iteration;
  }

  turnSpan() {
    const { iteration } = this.turn;
    const { rows } = this.model;
    if (this.selected >= 0 && rows.kind[this.selected] === OUTSIDE) {
      const from = rows.start[this.selected];
      return [from, from + rows.duration[this.selected]];
    }
    return iteration
      ? [iteration.start, iteration.start + iteration.duration]
      : [this.model.begin, this.model.end];
  }

  followTurn() {
    const [from, to] = this.turnSpan();
    this.view.reveal(from, to, 400, 0.5);
  }

  nextEntry(direction) {
    const entries = this.turn.entries();
    const at = entries.indexOf(this.selected);
    const row = at < 0 && direction < 0 ? undefined : entries[at + direction];
    if (row !== undefined) this.select(row);
    else this.step(this.index + direction);
  }

  // What kept the loop busy longest, one after the other: turns, and what ran between them.
  worst(direction) {
    const { track, model } = this;
    if (!track?.stalls.count) return;
    if (this.worstTrack !== track) {
      const { start, end } = track.stalls;
      const order = Uint32Array.from(start, (_, i) => i);
      const length = (i) => end[i] - start[i];
      this.worstOrder = order.sort((a, b) => length(b) - length(a)).slice(0, 100);
      this.worstTrack = track;
      this.worstAt = direction > 0 ? -1 : 0;
    }
    const count = this.worstOrder.length;
    this.worstAt = (this.worstAt + direction + count) % count;
    const row = track.stalls.ref[this.worstOrder[this.worstAt]];
    if (model.rows.kind[row] === OUTSIDE) this.select(row);
    else this.step(model.iterationOf[row]);
  }

  // Selects a row (-1: none); shows it in the timeline unless told not to.
  select(row, follow = true) {
    if (row >= 0) {
      const track = this.model.tracks[this.model.rows.track[row]];
      if (track !== this.track && this.model.loops.includes(track)) this.chooseLoop(track);
      this.selected = row;
      this.selectTurn(row, track);
      if (follow) this.showRow(row);
    } else {
      this.selected = row;
      this.turn.pointAt(-1);
    }
    this.told();
  }

  // Selects the first callback or tick of the function; false if there is none.
  selectNamed(name) {
    const { rows } = this.model;
    const wanted = (row) =>
      rows.kind[row] >= CALLBACK &&
      rows.kind[row] < SAMPLE &&
      splitPlace(rowTitle(this.model, row))[0] === name;
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
    this.view.span(iterations.start[at(first)], iterations.end[at(last)]);
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

  // A range of time that the figures, the functions and the flame graph are about; null: none.
  setRange(from, to) {
    const start = Math.max(this.model.begin, Math.min(from, to));
    const end = Math.min(this.model.end, Math.max(from, to));
    this.range = end > start ? { from: start, to: end } : null;
    history.replaceState(null, '', this.range ? this.address() : location.pathname);
    this.functions.show();
    this.told();
  }

  clearRange() {
    if (this.range) this.setRange(this.range.from, this.range.from);
    else this.select(-1);
  }

  // The range of what is selected, or of this turn.
  rangeHere() {
    const { rows } = this.model;
    const from = this.selected >= 0 ? rows.start[this.selected] : 0;
    const took = this.selected >= 0 ? rows.duration[this.selected] : 0;
    if (took > 0) this.setRange(from, from + took);
    else this.setRange(...this.turnSpan());
  }

  showRow(row, closely = false) {
    if (row < 0) return;
    const { rows } = this.model;
    const from = rows.start[row];
    const to = from + rows.duration[row];
    if (closely) this.view.span(from, to, 0.1);
    else this.view.reveal(from, to, 200, 1.5);
  }

  showTurn() {
    const [from, to] = this.turnSpan();
    this.view.span(from, to);
  }

  showAll() {
    this.view.set(this.model.begin, this.model.end, true);
  }

  changeColour() {
    this.colourBy = this.colourBy === 'time' ? 'phase' : 'time';
    this.timeline.showLegend();
    this.redraw();
  }

  scroll(pixels) {
    this.timeline.scrollBy(pixels);
    this.redraw();
  }

  focusSearch() {
    byId('query').focus();
    byId('query').select();
  }

  setView(from, to) {
    this.view.set(from, to);
  }

  pan(amount, byPart) {
    this.view.pan(amount, byPart);
  }

  zoom(factor, around, smooth) {
    this.view.zoom(factor, around, smooth);
  }

  viewChanged() {
    if (!this.view.target) {
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
    const { from, to, size } = this.view;
    byId('view-range').textContent =
      `${formatTime(Math.max(this.model.begin, from), size / 1000)} to ` +
      `${formatTime(Math.min(this.model.end, to), size / 1000)} (${formatDuration(size)})`;
    this.timeline.draw();
    this.lag.draw();
    this.strip.draw();
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
  startLive(app);
  document.body.dataset.ready = 'true';
}

main();
