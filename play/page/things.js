// Reads the events (play/README.md) and tells the model what they change: what waits where, what
// runs, and by which rule.

import { LEVEL, MS } from './levels.js';
import { plain } from './terminal.js';

const LEAST_SLEEP_MS = 0.001; // less is the time that tells events apart
const AFTER_END = new Set(['at', 'out', 'stop']);
// Steps that have another sentence when no line of the program is behind them.
const OWN_SENTENCES = new Set(['tick-new', 'timer-new', 'imm-new', 'imm-next', 'open']);
const IN_C = new Set(['script', 'script-end', 'exit']); // main is no script
const PHASE_OF = { timer: 0, idle: 2, prepare: 3, check: 5 };

export class Things {
  constructor(model) {
    this.model = model;
    this.main = undefined; // the number of the program's thread
    this.threads = new Map(); // of the pool: thread → slot
    this.units = []; // what is running, outermost first
    this.begun = false; // the program's first line
    this.number = 0;
    this.byKey = new Map(); // what is called so now → entry
    this.rows = { tick: [], job: [] }; // entries in their order; 0 is one of the runtime's start
    this.between = {}; // what ran last outside of all units, as units know it of themselves
    this.checkedIn = 0; // the turn in which an immediate ran last
    this.over = false; // the program has ended; only what it prints is left
  }

  // The thread that runs the program.
  mainOf(events) {
    return (events.find((event) => event[2] === 'at') ?? events[0])?.[1];
  }

  read(events) {
    this.main = this.mainOf(events);
    this.isScript = this.model.language === 'js';
    const nextOfMain = events.map(() => '');
    const nextWaking = events.map(() => Infinity);
    for (let i = events.length - 1, next = '', waking = Infinity; i >= 0; i--) {
      nextOfMain[i] = next;
      nextWaking[i] = waking;
      if (events[i][1] !== this.main) continue;
      next = events[i][2];
      if (next !== 'wait' && next !== 'wait.') waking = events[i][0];
    }
    for (const [i, [time, thread, kind, ...values]] of events.entries()) {
      this.index = i;
      this.next = nextOfMain[i];
      this.waking = nextWaking[i]; // when the main thread does something else than to wait
      this.now = time;
      this.thread = thread;
      if (this.over && thread === this.main && !AFTER_END.has(kind)) continue;
      if (thread === this.main) this.model.set('time', time);
      const name = `on_${kind.replace(/[+]$/, '_new').replace(/-$/, '_gone').replace(/~$/, '_ref')
        .replace(/\.$/, '_end')}`;
      if (typeof this[name] === 'function') this[name](...values);
    }
  }

  isMain() {
    return this.thread === this.main;
  }

  // Entries: what waits, and later runs.
  make(kind, key, more = {}) {
    const { model } = this;
    const frame = model.state.frames[0];
    const entry = { id: ++this.number, kind, name: '', line: frame?.[1] ?? 0,
      by: frame?.[0] ?? '', phase: model.state.phase, turn: model.state.turn,
      unit: this.units.at(-1), ...more };
    model.entries.set(entry.id, entry);
    if (key !== undefined) this.byKey.set(key, entry);
    return entry;
  }

  say(level, name, entry, values = {}, rule = undefined) {
    const key = OWN_SENTENCES.has(name) && entry.line === 0 ? `${name}-own`
      : IN_C.has(name) && !this.isScript ? `${name}-c` : name;
    return this.model.step(level, key, { id: entry?.id, line: entry?.line, ...values }, rule);
  }

  // Units: what runs.
  enter(unit) {
    this.units.push(unit);
    this.model.add('units', unit.id);
    this.model.set('frames', []);
  }

  leave(kind) {
    const { model } = this;
    let unit = this.units.at(-1);
    if (unit === undefined || unit.kind !== kind) return undefined;
    unit = this.units.pop();
    model.drop('units', unit.id);
    model.set('frames', []);
    return unit;
  }

  // Where the program is; the outermost function that runs gives what runs its name.
  on_at(...frames) {
    const { model } = this;
    const shown = frames.filter((frame) => frame[0] !== '<eval>')
      .map((frame, i, all) => this.shownFrame(frame, i === all.length - 1));
    if (!this.isMain()) return;
    if (frames.length === 0) model.set('frames', []); // the program's function has returned
    if (shown.length === 0) return;
    if (!this.begun) {
      this.begun = true;
      if (this.units.every((unit) => unit.kind === 'hidden')) { // the runtime's, around a module
        this.script = this.make('script', undefined, { name: this.isScript ? '' : 'main' });
        this.enter(this.script);
        this.script.step =
          this.say(LEVEL.callback, 'script', this.script, {}, 'to-completion');
      }
    }
    const unit = this.units.at(-1);
    const outer = shown.at(-1);
    if (unit !== undefined && unit.name === '' && unit.kind !== 'script') {
      unit.name = outer[0];
      unit.ran ??= outer[1];
    }
    const same = model.state.frames;
    model.set('frames', shown);
    if (shown[0][1] > model.lineCount) return;
    if (same.length > shown.length) this.say(LEVEL.event, 'back', undefined, { at: shown[0][1] });
    else this.say(LEVEL.event, 'line', undefined, { at: shown[0][1], name: shown[0][0] });
  }

  // [name, line, file, whether it is the body of a script]
  shownFrame([name, line, file], isOutermost) {
    const isBody = /^Object\.<anonymous>$|^<module>$/.test(name) || (name === '' && isOutermost &&
      (this.units.at(-1) === this.script || this.units.at(-1)?.isBody === true));
    return [isBody ? '' : name, line, file, isBody];
  }

  on_out(fd, text) {
    const parts = plain(text).split('\n');
    const rest = parts.pop();
    for (const part of parts) this.print(fd, part, true);
    if (rest !== '') this.print(fd, rest, false);
  }

  print(fd, text, ends) {
    const { model } = this;
    model.lines.push({ text, fd, ends, step: model.steps.length + 1, unit: this.units.at(-1)?.id,
      thread: this.isMain() ? 0 : this.thread });
    model.set('lines', model.lines.length);
    this.say(LEVEL.event, this.isMain() ? 'print' : 'worker-print', undefined, { text });
  }

  // Ticks and microtasks run in the order in which they were queued.
  queued(kind, rule) {
    if (!this.isMain()) return;
    if (!this.begun) {
      this.rows[kind].push(0);
      return;
    }
    const entry = this.make(kind);
    this.rows[kind].push(entry);
    this.model.add(kind, entry.id);
    this.say(LEVEL.event, `${kind}-new`, entry, {}, rule);
  }

  runs(kind, rule) {
    const { model } = this;
    if (!this.isMain()) return;
    const next = this.rows[kind].shift();
    if (next === 0) {
      this.units.push({ kind: 'hidden', id: 0 });
      return;
    }
    const entry = next ?? this.make(kind);
    if (this.units.at(-1) === this.script) this.endScript();
    const around = this.units.at(-1) ?? this.between;
    const how = this.turnOf(kind, around.last);
    around.last = kind;
    model.drop(kind, entry.id);
    this.enter(entry);
    entry.step = this.say(LEVEL.callback, `${kind}-${how}`, entry, {}, rule);
  }

  // Ticks come first, then microtasks; each queue runs until it is empty. In a module, whose code
  // is a microtask itself, ticks wait for the others.
  turnOf(kind, last) {
    if (last === kind || (kind === 'job' && this.model.state.tick.length > 0)) return 'run';
    return kind === 'tick' && last === 'job' ? 'after-jobs' : 'first';
  }

  ends(kind) {
    if (!this.isMain()) return;
    if (this.script !== undefined && this.units.at(-1) === this.script) this.endScript();
    if (this.units.at(-1)?.kind === 'hidden') {
      this.units.pop();
      return;
    }
    const unit = this.leave(kind);
    if (unit !== undefined) this.say(LEVEL.event, kind === 'job' ? 'job-end' : 'return', unit);
  }

  on_tick_new() { this.queued('tick', 'ticks-first'); }
  on_tick() { this.runs('tick', 'ticks-first'); }
  on_tick_end() { this.ends('tick'); }
  on_job_new() { this.queued('job', 'microtasks'); }
  on_job() { this.runs('job', 'microtasks'); }
  on_job_end() { this.ends('job'); }

  // The runtime calls a function of the program: while a script runs, it does not. A script that it
  // calls again has waited at an await.
  on_fn(kind, name, line, file = '') {
    if (!this.isMain() || !this.begun) return;
    const unit = this.units.at(-1);
    if (name === '(script)') {
      if (!this.scriptEnded || unit === undefined) return;
      unit.isBody = true;
      this.scriptEnded.key = 'script-waits';
    } else if (unit === this.script) this.endScript();
    else if (unit?.name === '' && line > 0 && !file.startsWith('node:')) {
      unit.name = name;
      unit.ran ??= line;
    }
  }

  // Nothing catches an error: what runs is left where it is.
  on_threw() {
    if (!this.isMain() || !this.begun) return;
    const said = this.say(LEVEL.callback, 'threw', this.units.at(-1));
    if (this.leave('script') !== undefined) this.scriptEnded = said;
  }

  // They are looked at when a script has ended, and all microtasks.
  on_rejections() {
    if (!this.isMain()) return;
    this.endScript();
    if (this.next === 'out') this.say(LEVEL.callback, 'rejected');
  }

  endScript() {
    if (this.script === undefined || this.scriptEnded || this.units.at(-1) !== this.script) {
      return;
    }
    if (this.isScript) this.leave('script'); // main waits in uv_run, and goes on after it
    this.model.set('frames', []);
    this.scriptEnded = this.say(LEVEL.callback, 'script-end', this.script, {},
      this.isScript ? 'to-completion' : 'phases');
  }

  // Timers, sorted by when they are due; those of one moment in the order of their start.
  on_timer_new(key, due, delay, repeats) {
    if (!this.isMain()) return;
    const { model } = this;
    const known = this.byKey.get(`timer ${key}`);
    const again = known?.repeats === 1 && model.state.frames.length === 0;
    const entry = again || (known && model.state.timer.includes(known.id)) ? known
      : this.make('timer', `timer ${key}`, { name: known?.name ?? '' });
    Object.assign(entry, { due: due * MS - model.began, delay, repeats });
    model.drop('timer', entry.id);
    const place = model.state.timer.findIndex((id) => model.entries.get(id).due > entry.due);
    model.add('timer', entry.id, place < 0 ? model.state.timer.length : place);
    this.say(LEVEL.event, again ? 'timer-again' : 'timer-new', entry,
      { delay, due: entry.due, repeats }, delay === 1 ? 'no-zero' : 'timers');
  }

  on_timer(key) {
    if (!this.isMain()) return;
    const { model } = this;
    const entry = this.byKey.get(`timer ${key}`) ?? this.make('timer', `timer ${key}`);
    this.endScript();
    model.drop('timer', entry.id);
    this.enter(entry);
    const late = Math.floor((model.state.time - entry.due) / MS);
    const race = model.state.turn === 1 && entry.delay === 1 && entry.turn === 0 &&
      model.state.imm.some((id) => model.entries.get(id).turn === 0);
    const how = race ? 'timer-race' : late > 0 ? 'timer-late' : 'timer-run';
    entry.step = this.say(LEVEL.callback, how, entry,
      { late, due: entry.due }, race ? 'race' : 'timers');
  }

  on_timer_end() { this.ends('timer'); }
  on_timer_gone(key) { this.gone('timer', key); }

  on_timer_ref(key, referenced) {
    const entry = this.byKey.get(`timer ${key}`);
    if (!this.isMain() || entry === undefined) return;
    entry.unref = referenced === 0;
    this.say(LEVEL.event, referenced === 0 ? 'unref' : 'ref', entry, {}, 'alive');
  }

  gone(kind, key) {
    const entry = this.byKey.get(`${kind} ${key}`);
    if (!this.isMain() || entry === undefined || !this.model.state[kind].includes(entry.id)) return;
    this.model.drop(kind, entry.id);
    this.say(LEVEL.event, 'cleared', entry);
  }

  on_imm_new(key) {
    if (!this.isMain()) return;
    const entry = this.make('imm', `imm ${key}`);
    this.model.add('imm', entry.id);
    const how = this.model.state.phase === 5 ? 'imm-next' : 'imm-new';
    this.say(LEVEL.event, how, entry, {}, 'check');
  }

  on_imm_gone(key) { this.gone('imm', key); }

  // Why now: after poll, or before a timer that is not due yet.
  on_imm(key) {
    if (!this.isMain()) return;
    const { model } = this;
    const entry = this.byKey.get(`imm ${key}`) ?? this.make('imm', `imm ${key}`);
    this.endScript();
    model.drop('imm', entry.id);
    this.enter(entry);
    const timer = model.entries.get(model.state.timer[0]);
    const isFirst = this.checkedIn !== model.state.turn;
    this.checkedIn = model.state.turn;
    const fromPoll = isFirst && entry.phase === 4 && entry.turn === model.state.turn;
    const race = isFirst && model.state.turn === 1 && entry.turn === 0 && timer?.delay === 1 &&
      timer.turn === 0 && timer.step === undefined;
    const name = fromPoll ? 'imm-after-poll' : race ? 'imm-race' : 'imm-run';
    entry.step = this.say(LEVEL.callback, name, entry, { other: timer?.id },
      race ? 'race' : 'check');
  }

  on_imm_end() { this.ends('imm'); }

  // The loop.
  on_loop() {
    if (!this.isMain() || !this.begun) return;
    this.looped = true;
    this.endScript();
    this.between = {};
    this.model.set('place', 'loop');
    this.say(LEVEL.turn, 'loop', undefined, {}, 'phases');
  }

  // The runtime loads a module while its loop turns already: that turn is the program's first.
  joinLoop() {
    if (this.looped || !this.isScript) return;
    this.on_loop();
    if (this.turnNow === undefined) return;
    this.firstTurn = this.turnNow;
    this.model.set('turn', 1);
  }

  on_turn(number) {
    if (!this.isMain()) return;
    if (!this.begun) {
      this.turnNow = number;
      return;
    }
    this.joinLoop();
    this.endScript();
    this.model.set('place', 'loop');
    this.model.set('turn', this.firstTurn === undefined ? 1 : number - this.firstTurn + 1);
    this.firstTurn ??= number;
    this.model.set('phase', -1);
    this.say(LEVEL.turn, 'turn', undefined, { number: this.model.state.turn }, 'phases');
  }

  on_phase(phase) {
    const { model } = this;
    if (!this.isMain() || !this.begun) return;
    this.joinLoop();
    model.set('phase', phase);
    model.set('asleep', false);
    const { state } = model;
    const due = state.timer.filter((id) => model.entries.get(id).due <= state.time).length;
    const counts = [due, state.pending.length, 0, 0,
      state.poll.length + state.queue.length + state.done.length, state.imm.length,
      state.closing.length];
    const hooks = state.loop.filter((id) => PHASE_OF[model.entries.get(id).type] === phase).length;
    const count = counts[phase] + hooks;
    this.say(LEVEL.phase, `phase-${phase}${count === 0 ? '-empty' : ''}`, undefined, { count },
      'phases');
  }

  // Why it waits, and how long, is the rule that most people get wrong.
  on_wait(limit) {
    const { model } = this;
    if (!this.isMain() || !this.begun) return;
    if (model.state.asleep) return; // it was woken for nothing
    this.waitBegan = this.now;
    const isReady = limit !== 0 && this.waking - this.now < LEAST_SLEEP_MS * MS;
    if (limit !== 0 && !isReady) model.set('asleep', true);
    const { state } = model;
    const first = model.entries.get(state.timer[0]);
    const left = first === undefined ? 0 : Math.ceil((first.due - state.time) / MS);
    const isDue = first !== undefined && left <= 0;
    if (limit > 0 && left > 0) limit = left;
    if (isReady) this.say(LEVEL.event, 'no-wait-ready', undefined, {}, 'poll-wait');
    else if (limit === 0) {
      const why = state.imm.length > 0 ? 'no-wait-imm' : state.pending.length > 0
        ? 'no-wait-pending' : state.closing.length > 0 ? 'no-wait-closing' : 'no-wait';
      this.say(LEVEL.event, why, undefined, {}, 'poll-wait');
    } else if (limit < 0) this.say(LEVEL.event, 'wait-ever', undefined, {}, 'poll-wait');
    else this.say(LEVEL.event, isDue ? 'wait-due' : 'wait', first, { limit }, 'poll-wait');
  }

  on_wait_end() {
    if (!this.isMain() || !this.begun) return;
    const slept = (this.now - (this.waitBegan ?? this.now)) / MS;
    if (slept < LEAST_SLEEP_MS || this.next === 'wait') return;
    this.model.set('asleep', false);
    this.say(LEVEL.event, 'woke', undefined, { slept }, 'poll-wait');
  }

  on_beforeExit() {
    if (!this.isMain()) return;
    this.endScript();
    this.between = {};
    this.model.set('place', 'end');
    this.model.set('phase', -1);
    this.model.set('frames', []);
    this.say(LEVEL.turn, 'before-exit', undefined, {}, 'alive');
  }

  on_exit() {
    if (!this.isMain()) return;
    this.over = true;
    this.say(LEVEL.turn, 'exit', undefined, {}, 'alive');
  }

  on_stop(why) {
    this.model.stopped = why;
    this.say(LEVEL.turn, `stop-${why}`);
  }
}
