// The panel of one iteration: the wheel, its controls, the list of what happened, and playing.
import { CALLBACK, NO_PHASE, PHASES } from './kinds.js';
import { capital, formatCount, formatDuration, formatMoment, plural } from './format.js';
import { phasesOfIteration } from './model.js';
import { isTimer, planned, rowKind, rowTitle, splitPlace } from './describe.js';
import { byId, element } from './dom.js';
import { Wheel } from './wheel.js';

// Milliseconds on the screen at normal speed.
const EMPTY_PHASE = 160;
const SLEEP = 500;
const PER_ENTRY = 420;
const MOST_PER_PHASE = 2600;

const NAP = 1000; // A look without waiting takes less than this many ns.

function isAsleep(part) {
  return part.wait !== null && part.wait.end - part.wait.start >= NAP;
}

export class Turn {
  // app: { model, track, index, select(row), step(index) }
  constructor(app) {
    this.app = app;
    this.wheel = new Wheel(byId('wheel'));
    this.playing = false;
    this.speed = 1;
    this.still = matchMedia('(prefers-reduced-motion: reduce)');
    byId('happened').addEventListener('click', (event) => {
      const row = event.target.closest('[data-row]')?.dataset.row;
      if (row !== undefined) app.select(Number(row));
    });
    byId('wheel').addEventListener('click', (event) => {
      const row = event.target.closest('[data-row]')?.dataset.row;
      if (row !== undefined) app.select(Number(row));
    });
  }

  // Shows the app's iteration; -1 is what ran before the loop turned for the first time, and one
  // too many what ran after the last time.
  show() {
    const { model, track, index } = this.app;
    const none = !track || (track.iterations.count === 0 && track.outside.length === 0);
    byId('turn').classList.toggle('nothing', none);
    if (none) {
      this.iteration = null;
      this.wheel.show(null);
      this.wheel.point(NO_PHASE, 0);
      byId('turn-summary').textContent = 'No iteration was recorded.';
      byId('happened').replaceChildren();
      return;
    }
    const outside = index < 0 || index >= track.iterations.count;
    this.iteration = outside ? this.outside(model, track, index) : this.read(model, track, index);
    this.wheel.show(this.iteration);
    this.list();
    this.listSummary();
    this.plan();
    this.pointAt(-1);
  }

  read(model, track, index) {
    const { rows } = model;
    const row = track.iterations.ref[index];
    const describe = (entry) => ({
      row: entry,
      start: rows.start[entry],
      duration: rows.duration[entry],
      title: rowTitle(model, entry),
    });
    const phases = phasesOfIteration(model, track, index).map((part) => ({
      ...part,
      wait:
        part.wait < 0
          ? null
          : {
              start: rows.start[part.wait],
              planned: rows.value[part.wait],
              end: rows.start[part.wait] + rows.duration[part.wait],
            },
      callbackRows: part.entries
        .map((entry, i) => ({ ...describe(entry), part: (i + 1) / (part.entries.length + 1) }))
        .filter((e) => rows.kind[e.row] === CALLBACK),
    }));
    return {
      row,
      index,
      phases,
      label: 'iteration',
      number: rows.value[row],
      start: rows.start[row],
      duration: rows.duration[row],
      callbacks: phases.reduce((sum, p) => sum + p.callbacks, 0),
    };
  }

  outside(model, track, index) {
    const { rows } = model;
    const { count } = track.iterations;
    const from = index < 0 ? -1 : track.iterations.end[count - 1];
    const to = index < 0 && count ? track.iterations.start[0] : Infinity;
    const entries = [];
    for (const lane of track.callbacks) {
      const first = index < 0 ? 0 : Math.max(0, lane.at(from));
      for (const row of lane.ref.slice(first, first + 200)) {
        if (rows.start[row] < from || rows.start[row] >= to) continue;
        if (model.iterationOf[row] < 0) entries.push(row);
      }
    }
    entries.sort((a, b) => a - b);
    const start = rows.start[entries[0]];
    const endOf = (r) => rows.start[r] + rows.duration[r];
    const end = entries.reduce((most, r) => Math.max(most, endOf(r)), start);
    const part = {
      phase: NO_PHASE,
      start,
      end,
      wait: null,
      entries,
      callbackRows: [],
      more: 0,
      callbacks: entries.filter((row) => rows.kind[row] === CALLBACK).length,
    };
    return {
      row: entries[0],
      index,
      phases: [],
      outside: part,
      label: index < 0 ? 'before the loop' : 'after the loop',
      number: 0,
      start,
      duration: end - start,
      callbacks: part.callbacks,
    };
  }

  // What is told while playing would only disturb a screen reader.
  listSummary() {
    byId('turn-summary').setAttribute('aria-live', this.playing ? 'off' : 'polite');
    byId('turn-summary').textContent = this.sentence();
  }

  tellPhase(phase) {
    if (phase === this.toldPhase || this.speed > 1 || phase === NO_PHASE) return;
    this.toldPhase = phase;
    byId('turn-summary').textContent = `${capital(PHASES[phase].name)} ${PHASES[phase].about}.`;
  }

  sentence() {
    const { model, track } = this.app;
    const { iteration } = this;
    const took = formatDuration(iteration.duration);
    if (iteration.outside) {
      const when = iteration.index < 0 ? 'Before the loop turned' : 'After the last turn';
      return `${when}, ${plural(iteration.callbacks, 'callback')} ran for ${took}.`;
    }
    // Where iterations were lost, their count and their numbers differ.
    const { count, ref } = track.iterations;
    const whole = model.rows.value[ref[count - 1]] === count;
    let text =
      `Iteration ${formatCount(iteration.number)}${whole ? ` of ${formatCount(count)}` : ''}, at ` +
      `${formatMoment(iteration.start)}, took ${took}`;
    const asleep = track.waited[iteration.index];
    if (asleep >= NAP) text += `, ${formatDuration(asleep)} of it asleep`;
    const waiting = model.shares.get(iteration.row)?.waiting ?? 0;
    if (waiting > iteration.duration / 10)
      text += `, ${formatDuration(waiting)} waiting for a processor`;
    text += iteration.callbacks
      ? `; it called ${plural(iteration.callbacks, 'function')}.`
      : '; nothing was due.';
    const all = iteration.phases.flatMap((part) => part.callbackRows);
    const longest = all.reduce((best, c) => (!best || c.duration > best.duration ? c : best), null);
    if (all.length > 1)
      text +=
        ` The longest was ${splitPlace(rowTitle(model, longest.row))[0]} ` +
        `with ${formatDuration(longest.duration)}.`;
    return text;
  }

  list() {
    const items = [];
    let quiet = [];
    const flush = () => {
      if (quiet.length)
        items.push(element('li', { class: 'quiet' }, `${quiet.join(', ')}: nothing to do`));
      quiet = [];
    };
    if (this.iteration.outside) items.push(...this.entriesOf(this.iteration.outside));
    for (const part of this.iteration.phases) {
      const slept = isAsleep(part);
      if (!part.entries.length && !slept) {
        quiet.push(PHASES[part.phase].name);
        continue;
      }
      flush();
      items.push(this.phaseItem(part));
    }
    flush();
    byId('happened').replaceChildren(...items);
  }

  phaseItem(part) {
    const { name } = PHASES[part.phase];
    const item = element(
      'li',
      { class: 'phase', style: `--colour: var(--phase-${name})` },
      element(
        'div',
        { class: 'phase-line', 'data-row': part.row },
        element('span', { class: 'phase-name' }, name),
        element('span', { class: 'time' }, formatDuration(part.end - part.start)),
      ),
    );
    if (isAsleep(part)) {
      const limit =
        part.wait.planned < 0 ? 'with no limit' : `of ${planned(part.wait.planned)} planned`;
      item.append(
        element(
          'p',
          { class: 'slept' },
          `asleep ${formatDuration(part.wait.end - part.wait.start)} ${limit}`,
        ),
      );
    }
    if (part.entries.length) item.append(element('ol', {}, ...this.entriesOf(part)));
    return item;
  }

  entriesOf(part) {
    const { model } = this.app;
    const items = part.entries.map((row) => this.entryItem(model, row));
    if (part.more)
      items.push(element('li', { class: 'quiet' }, `and ${formatCount(part.more)} more`));
    return items;
  }

  entryItem(model, row) {
    const { rows } = model;
    const [name, place] = splitPlace(rowTitle(model, row));
    const late =
      isTimer(model, row) && rows.value[row] >= 1000
        ? element('span', { class: 'late' }, `${formatDuration(rows.value[row] * 1000)} late`)
        : null;
    const kind = rows.kind[row] === CALLBACK ? '' : ' inner';
    return element(
      'li',
      { class: 'entry' + kind, style: `--depth: ${model.depthOf[row]}` },
      element(
        'button',
        { type: 'button', 'data-row': row, title: place ? `${name} (${place})` : name },
        element('span', { class: 'name' }, name),
        late,
        element('span', { class: 'what' }, rowKind(model, row).replace(' callback', '')),
        element('span', { class: 'time' }, formatDuration(rows.duration[row])),
      ),
    );
  }

  // The steps of the hand: each has a phase, a length on the screen, and the entries in it.
  plan() {
    this.steps = [];
    for (const part of this.iteration?.phases ?? []) {
      const sleep = isAsleep(part) ? SLEEP : 0;
      const entries = part.entries;
      const run = Math.min(MOST_PER_PHASE, entries.length * PER_ENTRY);
      this.steps.push({
        phase: part.phase,
        entries,
        sleep,
        run,
        length: EMPTY_PHASE + sleep + run,
      });
    }
    if (this.iteration?.outside) {
      const { entries } = this.iteration.outside;
      const run = Math.min(MOST_PER_PHASE, entries.length * PER_ENTRY);
      this.steps.push({ phase: NO_PHASE, entries, sleep: 0, run, length: run + EMPTY_PHASE });
    }
    this.clock = 0;
  }

  // Shows a row of this iteration as the current one; -1 for none.
  pointAt(row) {
    const { model } = this.app;
    for (const old of document.querySelectorAll('#happened [aria-current]')) {
      old.removeAttribute('aria-current');
    }
    this.wheel.markRow(row);
    const entry = row < 0 ? null : document.querySelector(`#happened button[data-row="${row}"]`);
    if (entry) {
      entry.setAttribute('aria-current', 'true');
      this.reveal(entry);
    }
    if (this.playing || !this.iteration) return;
    const step = this.steps.find((s) => s.entries.includes(row));
    if (step) {
      this.wheel.point(step.phase, (step.entries.indexOf(row) + 1) / (step.entries.length + 1));
    } else {
      const phase = row < 0 ? NO_PHASE : model.phaseOf[row];
      if (phase !== NO_PHASE) this.wheel.point(phase, 0.5);
      else this.wheel.point(this.iteration.phases[0]?.phase ?? NO_PHASE, 0, false);
    }
  }

  // Scrolls the list only, never the page.
  reveal(entry) {
    const list = byId('happened');
    const box = list.getBoundingClientRect();
    const at = entry.getBoundingClientRect();
    if (at.top < box.top) list.scrollTop -= box.top - at.top + 8;
    else if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom + 8;
  }

  // The rows that the up and down keys go through.
  entries() {
    return this.steps?.flatMap((step) => step.entries) ?? [];
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.iteration) return;
    if (this.app.index >= this.app.lastIndex()) this.app.step(this.app.firstIndex());
    this.playing = true;
    this.last = performance.now();
    this.clock = 0;
    this.toldPhase = NO_PHASE;
    this.showPlaying();
    requestAnimationFrame((now) => this.frame(now));
  }

  pause() {
    this.playing = false;
    this.showPlaying();
    this.listSummary();
  }

  showPlaying() {
    byId('play').textContent = this.playing ? 'Pause' : 'Play';
    byId('turn').classList.toggle('playing', this.playing);
  }

  frame(now) {
    if (!this.playing) return;
    this.clock += Math.min(100, now - this.last) * this.speed;
    this.last = now;
    let at = this.clock;
    const step = this.steps.find((s) => (at < s.length ? true : ((at -= s.length), false)));
    if (step) {
      this.showStep(step, at);
    } else if (this.app.index < this.app.lastIndex()) {
      this.app.step(this.app.index + 1);
    } else {
      this.pause();
    }
    requestAnimationFrame((later) => this.frame(later));
  }

  showStep(step, at) {
    this.tellPhase(step.phase);
    const count = step.entries.length;
    const before = step.length - step.run;
    // The hand reaches an entry's place when its time begins.
    const place = at < before ? at / before : 1 + ((at - before) / step.run) * count;
    const smooth = place / (count + 1);
    this.wheel.point(step.phase, this.still.matches ? Math.floor(place) / (count + 1) : smooth);
    const row = place < 1 ? -1 : (step.entries[Math.min(count, Math.floor(place)) - 1] ?? -1);
    if (row !== this.playedRow) this.pointAt(row);
    this.playedRow = row;
  }
}
