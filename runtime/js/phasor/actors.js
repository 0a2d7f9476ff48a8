'use strict';
// require('phasor:actors'): actors on workers, with mailboxes, supervision, links and names. See
// docs/ACTORS.md.
const path = require('path');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');

const NUMBERS = ['mailbox', 'restarts', 'within', 'pause', 'pauseMost', 'worker'];

function isCount(value) { return Number.isInteger(value) && value >= 0; }

function settingsOf(options) {
  if (options === null || typeof options !== 'object') {
    throw invalidArgType('options', 'Object', options);
  }
  const settings = { mailbox: Infinity, restarts: 0, within: Infinity, pause: 0,
    pauseMost: Infinity, worker: undefined, name: undefined, ...options };
  for (const key of NUMBERS) {
    const value = settings[key];
    if (value !== undefined && value !== Infinity && !isCount(value)) {
      throw invalidArgValue(`options.${key}`, value, 'must be a whole number, not below 0');
    }
  }
  if (settings.name !== undefined && (typeof settings.name !== 'string' || settings.name === '')) {
    throw invalidArgType('options.name', 'string', settings.name);
  }
  return settings;
}

function fileOf(file) {
  if (file instanceof URL) return require('url').fileURLToPath(file);
  if (typeof file === 'string') return path.resolve(file);
  throw invalidArgType('file', ['string', 'URL'], file);
}

// begins -> runs <-> is busy with a message -> pauses after a failure -> begins ...; ended.
class Actor {
  #system;
  #settings;
  #file;
  #state = 'begins';
  #stops = false;
  #hears = false;
  #queue = [];
  #failures = [];
  #begun = withResolvers();
  #ended = withResolvers();
  #timer;

  constructor(system, number, file, settings) {
    this.#system = system;
    this.#file = file;
    this.#settings = settings;
    this.number = number;
    this.name = settings.name;
    this.links = new Set();
    this.#begun.promise.catch(() => {});
  }

  // Resolves when it has begun first, or rejects with its failure.
  get begun() { return this.#begun.promise; }

  // Resolves with undefined if it was stopped, or with what it failed with.
  get ended() { return this.#ended.promise; }

  get waiting() { return this.#queue.length; }

  // False: its mailbox is full, or it has ended.
  send(message) {
    if (this.#state === 'ended' || this.#stops) return false;
    if (this.#queue.length >= this.#settings.mailbox) return false;
    this.#queue.push({ step: 'receive', message: structuredClone(message) });
    this.#next();
    return true;
  }

  stop() {
    if (this.#stops || this.#state === 'ended') return this.ended;
    this.#stops = true;
    this.#queue.length = 0;
    if (this.#state === 'pauses') this.#finish(undefined);
    else if (this.#state === 'runs') this.#order({ step: 'end' });
    else this.#order({ step: 'abort' });
    return this.ended;
  }

  link(other) {
    if (!(other instanceof Actor)) throw invalidArgType('other', 'Actor', other);
    if (this.#state === 'ended') other.hear(this, undefined);
    else if (other.#state === 'ended') this.hear(other, undefined);
    this.links.add(other);
    other.links.add(this);
  }

  // The rest is for the system.

  begin() {
    this.#state = 'begins';
    this.#order({ step: 'begin', file: this.#file, name: this.name, data: this.#settings.data,
      restarts: this.#failures.length });
  }

  take({ step, why, hears }) {
    if (this.#state === 'ended') return;
    if (step === 'ended') {
      this.#finish(why);
    } else if (step === 'failed') {
      this.fail(why);
    } else {
      if (hears !== undefined) {
        this.#hears = hears;
        this.#begun.resolve(this);
      }
      this.#state = 'runs';
      if (this.#stops) this.#order({ step: 'end' });
      else this.#next();
    }
  }

  fail(why) {
    const { restarts, within, pause, pauseMost } = this.#settings;
    const now = performance.now();
    this.#failures = this.#failures.filter((time) => now - time < within);
    this.#failures.push(now);
    const times = this.#failures.length;
    if (this.#stops || times > restarts) {
      this.#finish(this.#stops ? undefined : why);
      return;
    }
    this.#state = 'pauses';
    this.#timer = setTimeout(() => this.begin(), Math.min(pause * 2 ** (times - 1), pauseMost));
  }

  // A linked actor has ended.
  hear(other, why) {
    this.links.delete(other);
    if (this.#state === 'ended' || this.#stops) return;
    if (this.#hears) {
      this.#queue.push({ step: 'linked', other: other.name ?? other.number, why });
      this.#next();
    } else if (why !== undefined) {
      this.#settings.restarts = 0;
      if (this.#state === 'runs') this.#order({ step: 'end', why });
      else this.#order({ step: 'abort' });
      this.#finish(why);
    }
  }

  get worker() { return this.#settings.worker; }

  #order(order) { this.#system.order(this, { ...order, number: this.number }); }

  #next() {
    if (this.#state !== 'runs' || this.#queue.length === 0) return;
    this.#state = 'is busy';
    this.#order(this.#queue.shift());
  }

  #finish(why) {
    clearTimeout(this.#timer);
    this.#state = 'ended';
    this.#queue.length = 0;
    this.#system.forget(this);
    this.#begun.reject(why ?? withCode(Error, 'ERR_ACTOR_STOPPED', 'The actor was stopped'));
    this.#ended.resolve(why);
    for (const other of this.links) other.hear(this, why);
  }
}

function withResolvers() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}

class System {
  #workers = [];
  #actors = new Map();
  #names = new Map();
  #last = 0;
  #turn = 0;
  #closing = false;

  constructor(count) {
    for (let i = 0; i < count; i++) this.#workers.push(this.#open(i));
  }

  get workers() { return this.#workers.length; }

  // Starts an actor whose functions a file exports.
  start(file, options = {}) {
    if (this.#closing) throw withCode(Error, 'ERR_ACTORS_CLOSED', 'The actors have been closed');
    const settings = settingsOf(options);
    settings.worker ??= this.#turn++ % this.#workers.length;
    if (settings.worker >= this.#workers.length) {
      throw invalidArgValue('options.worker', settings.worker, 'is no worker');
    }
    if (this.#names.has(settings.name)) {
      throw withCode(Error, 'ERR_ACTOR_EXISTS', `Another actor is called "${settings.name}"`);
    }
    const actor = new Actor(this, ++this.#last, fileOf(file), settings);
    this.#actors.set(actor.number, actor);
    if (settings.name !== undefined) this.#names.set(settings.name, actor);
    this.#workers[settings.worker].ref();
    actor.begin();
    return actor;
  }

  // By its name or number.
  find(name) {
    return typeof name === 'number' ? this.#actors.get(name) : this.#names.get(name);
  }

  // Stops all of them and ends the workers.
  async close() {
    this.#closing = true;
    await Promise.all([...this.#actors.values()].map((actor) => actor.stop()));
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  order(actor, order) { this.#workers[actor.worker].postMessage(order); }

  forget(actor) {
    this.#actors.delete(actor.number);
    if (this.#names.get(actor.name) === actor) this.#names.delete(actor.name);
    for (const other of this.#actors.values()) if (other.worker === actor.worker) return;
    this.#workers[actor.worker].unref();
  }

  #open(index) {
    const { Worker } = require('worker_threads');
    const worker = new Worker("require('phasor:actors')._listen()",
      { eval: true, name: `actors ${index}` });
    let failure;
    worker.unref();
    worker.on('message', (message) => this.#take(index, message));
    worker.on('error', (error) => { failure = error; });
    worker.on('exit', (code) => this.#replace(index, failure ??
      withCode(Error, 'ERR_ACTOR_WORKER_ENDED', `The worker of the actor ended with ${code}`)));
    return worker;
  }

  // Whoever was there has failed, and begins again on another one.
  #replace(index, why) {
    if (this.#closing) return;
    this.#workers[index] = this.#open(index);
    const there = [...this.#actors.values()].filter((actor) => actor.worker === index);
    if (there.length > 0) this.#workers[index].ref();
    for (const actor of there) actor.fail(why);
  }

  #take(index, message) {
    const { step, number, to } = message;
    const actor = this.#actors.get(number);
    if (step === 'send') this.find(to)?.send(message.message);
    else if (step === 'stop') actor?.stop();
    else if (step === 'link') this.#link(actor, to);
    else if (step === 'start') this.#startFor(index, message);
    else actor?.take(message);
  }

  #link(actor, to) {
    const other = this.find(to);
    if (actor !== undefined && other !== undefined) actor.link(other);
  }

  async #startFor(index, { file, options, ticket }) {
    const answer = { step: 'answer', ticket };
    try {
      answer.value = (await this.start(file, options).begun).number;
    } catch (error) {
      answer.error = error;
    }
    this.#workers[index].postMessage(answer);
  }
}

// As many workers as there are processors, if the options do not say how many.
function open(options = {}) {
  const count = options?.workers ?? require('os').availableParallelism();
  if (!isCount(count) || count === 0) {
    throw invalidArgValue('options.workers', count, 'must be a whole number above 0');
  }
  return new System(count);
}

module.exports = { open };
Object.defineProperty(module.exports, '_listen',
  { value: () => require('internal/actors/host').listen() });
