// Requests, the pool, handles and the callbacks of the loop: the events that come from the library.

import { LEVEL, MS } from './levels.js';
import { findPutOff } from './pending.js';
import { Things } from './things.js';

// Callbacks of the runtime itself: what it calls in them are steps of their own.
const OWN = new Set(['timer_cb', 'check_cb', 'idle_cb', 'prepare_cb', 'alloc_cb', 'walk_cb',
  'work_cb']);
const PURPOSES = { file: 'readFile' }; // as programs know them
const WATCHED = new Set(['tcp', 'pipe', 'udp', 'poll', 'process', 'signal', 'fs_event', 'fs_poll',
  'tty', 'async']);

export class Happenings extends Things {
  read(events) {
    this.putOff = findPutOff(events, this.mainOf(events));
    super.read(events);
  }

  // Requests and the pool.
  on_req(key, kind) {
    if (!this.isMain() || !this.begun) return;
    const type = kind === 'work' && this.purpose !== undefined ? this.purpose : kind;
    this.purpose = undefined;
    const isPutOff = this.putOff.has(this.index);
    const entry = this.make('req', `thing ${key}`, { type, isPutOff });
    this.model.add(isPutOff ? 'pending' : 'poll', entry.id);
    if (isPutOff) {
      this.say(LEVEL.event, entry.line ? 'req-pending' : 'req-own-pending', entry, { type },
        'pending');
      return;
    }
    this.say(LEVEL.event, entry.line ? 'req-new' : 'req-own', entry, { type }, 'poll');
  }

  // Said right before the request, or after it.
  on_purpose(key, text) {
    if (!this.isMain()) return;
    if (this.next === 'req') {
      this.purpose = PURPOSES[text] ?? text;
      return;
    }
    const entry = this.byKey.get(`thing ${key}`);
    if (entry !== undefined) entry.type = PURPOSES[text] ?? text;
  }

  on_submit(key) {
    if (!this.begun) return;
    let entry = this.byKey.get(`thing ${key}`);
    if (entry === undefined) entry = this.make('req', `thing ${key}`, { type: 'work' });
    this.model.drop('poll', entry.id);
    this.model.add('queue', entry.id);
    this.say(LEVEL.event, 'pool-queued', entry, { type: entry.type }, 'pool');
  }

  slotOf(thread) {
    if (!this.threads.has(thread)) this.threads.set(thread, this.threads.size % 4);
    return this.threads.get(thread);
  }

  on_work(key) {
    const entry = this.byKey.get(`thing ${key}`);
    if (entry === undefined || !this.begun) return;
    this.model.drop('queue', entry.id);
    this.model.change('#threads', entry.id, this.slotOf(this.thread));
    this.say(LEVEL.event, 'pool-begins', entry,
      { thread: this.slotOf(this.thread) + 1, type: entry.type }, 'pool');
  }

  on_work_end(key) {
    const entry = this.byKey.get(`thing ${key}`);
    if (entry === undefined || !this.begun) return;
    this.model.change('#threads', 0, this.slotOf(this.thread));
    this.model.add('done', entry.id);
    this.say(LEVEL.event, 'pool-ends', entry,
      { thread: this.slotOf(this.thread) + 1, type: entry.type }, 'pool');
  }

  on_req_end(key) {
    const entry = this.byKey.get(`thing ${key}`);
    if (entry === undefined) return;
    for (const list of ['poll', 'pending', 'queue', 'done']) this.model.drop(list, entry.id);
  }

  on_cancel(key) { this.on_req_end(key); }

  // Handles.
  on_open(key, type) {
    const isOwn = this.isScript && !this.begun; // a program in C may open one before its first note
    const entry = this.make('handle', `thing ${key}`, { type, isOwn, isElsewhere: !this.isMain() });
    if (!this.isMain() || isOwn) return;
    if (this.isScript && !WATCHED.has(type)) {
      entry.isOwn = true;
      return;
    }
    if (!WATCHED.has(type)) return;
    this.model.add('poll', entry.id);
    if (this.begun) this.say(LEVEL.event, 'open', entry, { type }, 'poll');
  }

  // Of C programs: a handle of the loop's own phases.
  on_start(key, type) {
    const entry = this.byKey.get(`thing ${key}`) ?? this.make('handle', `thing ${key}`, { type });
    entry.line = this.model.state.frames[0]?.[1] ?? entry.line;
    this.model.add('loop', entry.id);
    this.say(LEVEL.event, 'hook-start', entry, { type }, 'phases');
  }

  on_halt(key) {
    const entry = this.byKey.get(`thing ${key}`);
    if (entry === undefined) return;
    this.model.drop('loop', entry.id);
    this.model.drop('timer', this.byKey.get(`timer ${key}`)?.id);
    this.say(LEVEL.event, 'hook-stop', entry, { type: entry.type });
  }

  on_close(key) {
    const { model } = this;
    const entry = this.byKey.get(`thing ${key}`);
    if (!this.isMain() || entry === undefined || entry.isOwn) return;
    for (const list of ['poll', 'loop']) model.drop(list, entry.id);
    const timer = this.byKey.get(`timer ${key}`);
    if (timer !== undefined) model.drop('timer', timer.id);
    model.add('closing', entry.id);
    this.say(LEVEL.event, 'close', entry, { type: entry.type }, 'closing');
  }

  on_closed(key) {
    const entry = this.byKey.get(`thing ${key}`);
    if (entry !== undefined) this.model.drop('closing', entry.id);
  }

  on_send(key) {
    const entry = this.byKey.get(`thing ${key}`);
    if (entry === undefined || entry.isOwn || entry.isElsewhere || !this.begun) return;
    this.say(LEVEL.event, this.isMain() ? 'send-self' : 'send', entry, {}, 'poll');
  }

  // A callback of the loop. In JavaScript, what the runtime does in its own is told by its notes.
  on_cb(kind, key, name) {
    const { model } = this;
    if (this.isMain()) model.set('asleep', false);
    const hidden = { kind: 'hidden', id: 0 };
    const entry = this.byKey.get(`thing ${key}`);
    if (!this.isMain()) {
      if (entry?.kind === 'req') this.on_req_end(key); // a worker's, on the pool that all share
      return;
    }
    const isOwn = this.isScript ? OWN.has(kind) || entry === undefined || entry.isOwn
      : kind === 'alloc_cb' || kind === 'walk_cb';
    if (!this.begun || isOwn) {
      this.units.push(hidden);
      return;
    }
    this.endScript();
    const timer = kind === 'timer_cb' ? this.byKey.get(`timer ${key}`) : undefined;
    const ran = timer ?? entry;
    const unit = { ...(ran ?? this.make('cb')), kind: 'cb', of: ran?.kind, type: ran?.type ?? kind,
      name: this.isScript ? '' : name.replace(/ \(.*/, ''), id: ++this.number, entry: ran?.id };
    model.entries.set(unit.id, unit);
    if (timer !== undefined) model.drop('timer', timer.id);
    if (entry?.kind === 'req') {
      for (const list of ['poll', 'pending', 'queue', 'done']) model.drop(list, entry.id);
    }
    this.enter(unit);
    const due = timer?.due;
    if (timer?.repeats > 0) this.on_timer_again(timer);
    const closing = kind === 'close_cb';
    if (closing && entry !== undefined) model.drop('closing', entry.id);
    const [how, rule] = timer !== undefined ? ['timer-run', 'timers']
      : closing ? ['cb-close', 'closing'] : this.reason(entry);
    unit.step = this.say(LEVEL.callback, how, unit, { type: unit.type, due }, rule);
  }

  // Why a callback that is neither a timer's nor of a close is called now, and by which rule.
  reason(entry) {
    const { phase } = this.model.state;
    if (entry?.isPutOff) return [phase === 4 ? 'cb-pending-poll' : 'cb-pending', 'pending'];
    if (phase === 4) return ['cb-poll', 'poll'];
    if (phase === 5) return ['cb-check', 'check'];
    return [phase === 2 ? 'cb-idle' : phase === 3 ? 'cb-prepare' : 'cb', 'phases'];
  }

  // The loop sets a timer that repeats again before it calls it.
  on_timer_again(timer) {
    const { model } = this;
    timer.due = Math.floor(model.state.time / MS) * MS + timer.repeats * MS;
    const place = model.state.timer.findIndex((id) => model.entries.get(id).due > timer.due);
    model.add('timer', timer.id, place < 0 ? model.state.timer.length : place);
  }

  on_cb_end() { this.ends('cb'); }
}
