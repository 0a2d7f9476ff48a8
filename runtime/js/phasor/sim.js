'use strict';
// require('phasor:sim'): hosts, links and the clock of the simulated world that `phasor sim` runs a
// program in. See docs/SIMULATION.md.
const native = binding('sim');
const EventEmitter = require('events');
const path = require('path');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');

const NS_PER_MS = 1e6;
const LINK_OPTIONS = ['latency', 'jitter', 'bandwidth', 'loss', 'duplicate', 'reorder'];

function mustBeActive() {
  if (!native.active()) {
    throw withCode(Error, 'ERR_NOT_SIMULATED',
      'There is no simulated world here: run this with `phasor sim`');
  }
}

function numberOf(host) {
  if (host instanceof Host) return host.number;
  if (typeof host === 'string') {
    mustBeActive();
    const number = native.ask('host', host);
    if (number < 0) throw invalidArgValue('host', host, 'is no host of this world');
    return number;
  }
  throw invalidArgType('host', ['Host', 'string'], host);
}

// What a host runs: a file, or a function that sees nothing of the place where it is written but
// its argument and require.
function sourceOf(program) {
  if (typeof program === 'function') return { code: `(${program})(data);` };
  if (typeof program === 'string') return { file: path.resolve(program) };
  if (program instanceof URL) return { file: require('url').fileURLToPath(program) };
  throw invalidArgType('program', ['function', 'string', 'URL'], program);
}

class Host extends EventEmitter {
  #source;
  #data;
  #worker;

  constructor(name, program, data) {
    super();
    if (typeof name !== 'string' || name === '') throw invalidArgType('name', 'string', name);
    mustBeActive();
    this.#source = sourceOf(program);
    this.#data = data;
    this.name = name;
    this.number = native.host(name);
    if (this.number < 0) throw invalidArgValue('name', name, 'is no name of a host');
    this.address = native.address(this.number);
    this.up = false;
    this.#start();
  }

  #start() {
    const { Worker } = require('worker_threads');
    const { code, file } = this.#source;
    const worker = new Worker(
      `require('phasor:sim')._enter(${this.number});` +
      'const data = require("worker_threads").workerData;' +
      (file === undefined ? code : `require(${JSON.stringify(file)});`),
      { eval: true, workerData: this.#data, name: this.name });
    this.#worker = worker;
    this.up = true;
    worker.on('message', (message) => this.emit('message', message));
    worker.on('error', (error) => {
      if (this.#worker === worker) this.emit('error', error);
    });
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.up = false;
      this.emit('exit', code);
    });
  }

  postMessage(message) { this.#worker.postMessage(message); }

  // As when the power goes: connections vanish, and what was not synced is gone.
  async crash() {
    if (!this.up) return;
    const worker = this.#worker;
    this.up = false;
    this.#worker = undefined;
    native.crash(this.number);
    this.emit('crash');
    await worker.terminate();
  }

  restart() {
    if (this.up) return;
    native.restart(this.number);
    this.#start();
    this.emit('restart');
  }

  // Ends it in good order, as far as the outside can see: its connections are closed.
  async stop() {
    if (this.up) await this.#worker.terminate();
  }
}

// After every step of the world: checks, and what somebody waits for.
const checks = new Set();
let observer;

function look() {
  for (const test of [...checks]) test();
  if (checks.size > 0 || observer === undefined) return;
  native.unobserve();
  native.close(observer);
  observer = undefined;
}

function observe(test) {
  checks.add(test);
  if (observer !== undefined) return;
  observer = native.observe();
  observer.onstep = look;
}

// check(function): called after every event of the world; what it throws fails the test.
function check(test) {
  if (typeof test !== 'function') throw invalidArgType('test', 'Function', test);
  mustBeActive();
  observe(test);
  return () => { checks.delete(test); };
}

// until(condition, {limit}): resolves when the condition holds, rejects after so many virtual ms.
function until(condition, { limit } = {}) {
  if (typeof condition !== 'function') {
    return Promise.reject(invalidArgType('condition', 'Function', condition));
  }
  mustBeActive();
  return new Promise((resolve, reject) => {
    let timer;
    function end(settle, value) {
      checks.delete(test);
      clearTimeout(timer);
      settle(value);
    }
    function test() {
      try {
        if (condition()) end(resolve);
      } catch (error) {
        end(reject, error);
      }
    }
    if (limit !== undefined) {
      timer = setTimeout(() => end(reject, withCode(Error, 'ERR_SIM_LIMIT',
        `The condition did not hold within ${limit} ms`)), limit);
    }
    observe(test);
    test();
  });
}

function everyPair(one, other, call) {
  const ones = Array.isArray(one) ? one : [one];
  const others = Array.isArray(other) ? other : [other];
  for (const a of ones) for (const b of others) call(numberOf(a), numberOf(b));
}

// cut(a, b): both ways; cut(a, b, {oneWay: true}): what a sends to b
function cut(one, other, { oneWay = false } = {}) {
  everyPair(one, other, oneWay ? (a, b) => native.ask('cut', '', a, b) : native.cut);
}

function heal(one, other, { oneWay = false } = {}) {
  everyPair(one, other, oneWay ? (a, b) => native.ask('heal', '', a, b) : native.heal);
}

// always(condition, why): the test fails if it does not hold now
function always(condition, why = 'a condition that must always hold does not') {
  mustBeActive();
  if (!condition) native.fail(String(why));
}

// sometimes(name, condition): a search in which it never held fails
function sometimes(name, condition) {
  if (typeof name !== 'string' || name === '') throw invalidArgType('name', 'string', name);
  mustBeActive();
  native.ask('sometimes', name, condition ? 1 : 0);
}

function reached(name) {
  if (typeof name !== 'string' || name === '') throw invalidArgType('name', 'string', name);
  mustBeActive();
  native.ask('reached', name, 1);
}

// link(a, b, {latency, jitter, bandwidth, loss, duplicate, reorder}): times in ms, bytes a second
function link(one, other, options = {}) {
  for (const name of Object.keys(options)) {
    if (!LINK_OPTIONS.includes(name)) {
      throw invalidArgValue(`options.${name}`, options[name],
        `is unknown (${LINK_OPTIONS.join(', ')})`);
    }
  }
  const { latency = 1, jitter = 0, bandwidth = 0, loss = 0, duplicate = 0, reorder = 0 } = options;
  for (const [name, value] of Object.entries({ loss, duplicate, reorder })) {
    if (!(value >= 0 && value <= 1)) throw invalidArgValue(name, value, 'is no share from 0 to 1');
  }
  for (const [name, value] of Object.entries({ latency, jitter, bandwidth })) {
    if (!(value >= 0 && value < 2 ** 40)) throw invalidArgValue(name, value);
  }
  everyPair(one, other, (a, b) => native.link(a, b, latency * NS_PER_MS, jitter * NS_PER_MS,
    bandwidth, loss, duplicate, reorder));
}

// history(name, kind): what hosts did to something that is to behave like one copy of it: a
// register, a map (by key), a queue or a lock. Every host that names it adds to the same history.
function history(name, kind = 'register') {
  const { contradiction, kinds } = require('internal/sim/history');
  mustBeActive();
  if (!kinds.includes(kind)) throw invalidArgValue('kind', kind, `is none of ${kinds.join(', ')}`);
  const board = `history ${name}`;
  const count = () => Number(native.published(board) ?? 0);
  function add(event) {
    const number = count();
    native.publish(`${board} ${number}`, JSON.stringify(event));
    native.publish(board, String(number + 1));
    return number;
  }
  return {
    // An operation begins; what it returns is told when it is over. One that is never told may
    // have happened or not.
    call(what, { by = require('os').hostname(), key, value } = {}) {
      const id = add({ kind: 'call', by, what, key, value, id: count() });
      return {
        returns(result) { add({ kind: 'return', id, value: result }); },
        failed() { add({ kind: 'failed', id }); },
      };
    },
    events() {
      return Array.from({ length: count() },
        (_, i) => JSON.parse(native.published(`${board} ${i}`)));
    },
    check() {
      const wrong = contradiction(this.events(), kind);
      if (wrong !== undefined) {
        const { AssertionError } = require('assert');
        throw new AssertionError({ message: wrong });
      }
    },
  };
}

module.exports = {
  get active() { return native.active(); },
  get seed() { return native.seed(); },
  now: () => native.now() / NS_PER_MS,
  random: (limit) => native.random(limit),
  host: (name, program, data) => new Host(name, program, data),
  Host, cut, heal, link, check, until, always, sometimes, reached, history,
  // What a host tells the test about itself, at once and without a message.
  publish(name, value) { native.publish(String(name), JSON.stringify(value) ?? 'null'); },
  published(name) {
    const text = native.published(String(name));
    return text === undefined ? undefined : JSON.parse(text);
  },
  fail(why) {
    mustBeActive();
    native.fail(String(why));
  },
  _enter: (number) => native.enter(number),
};
