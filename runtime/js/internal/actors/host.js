'use strict';
// The worker's side of phasor:actors: loads the modules of actors and calls their functions, one
// message of an actor at a time. What happens to an actor is decided by the other side.
const { parentPort } = require('worker_threads');
const { pathToFileURL } = require('url');

const actors = new Map(); // by number
const tickets = new Map(); // what was asked of the other side

let lastTicket = 0;

function ask(request) {
  const ticket = ++lastTicket;
  parentPort.postMessage({ ...request, ticket });
  return new Promise((resolve, reject) => { tickets.set(ticket, { resolve, reject }); });
}

// What an actor's functions get as their first argument.
class Self {
  #controller = new AbortController();

  constructor({ number, name, data, restarts }) {
    this.number = number;
    this.name = name;
    this.data = data;
    this.restarts = restarts;
    this.state = undefined;
  }

  get signal() { return this.#controller.signal; }

  static abort(self) { self.#controller.abort(); }

  // To an actor's name or number.
  send(to, message) { parentPort.postMessage({ step: 'send', to, message }); }

  start(file, options) { return ask({ step: 'start', file, options }); }

  link(to) { parentPort.postMessage({ step: 'link', number: this.number, to }); }

  stop() { parentPort.postMessage({ step: 'stop', number: this.number }); }
}

// Of a CommonJS file the default is what it exports; beside it are only names that can be seen
// without running it.
async function load(file) {
  const loaded = await import(pathToFileURL(file).href);
  return typeof loaded.default?.receive === 'function' ? loaded.default : loaded;
}

async function begin(order) {
  const module = await load(order.file);
  if (typeof module.receive !== 'function') {
    throw new TypeError(`${order.file} exports no function "receive"`);
  }
  const self = new Self(order);
  actors.set(order.number, { self, module });
  self.state = await module.begin?.(self, order.data);
  return { hears: typeof module.linkedEnded === 'function' };
}

// A failure of its own end is told instead of the reason.
async function end(number, why) {
  const actor = actors.get(number);
  actors.delete(number);
  if (actor === undefined) return why;
  Self.abort(actor.self);
  try {
    await actor.module.end?.(actor.self, why);
  } catch (error) {
    return why ?? error;
  }
  return why;
}

const STEPS = {
  begin,
  async receive({ number, message }) {
    const { self, module } = actors.get(number);
    await module.receive(self, message);
  },
  async linked({ number, other, why }) {
    const { self, module } = actors.get(number);
    await module.linkedEnded(self, other, why);
  },
};

async function take(order) {
  const { step, number } = order;
  if (step === 'answer') {
    const { resolve, reject } = tickets.get(order.ticket);
    tickets.delete(order.ticket);
    if (order.error !== undefined) reject(order.error);
    else resolve(order.value);
  } else if (step === 'abort') {
    const actor = actors.get(number);
    if (actor !== undefined) Self.abort(actor.self);
  } else if (step === 'end') {
    parentPort.postMessage({ step: 'ended', number, why: await end(number, order.why) });
  } else {
    try {
      const told = await STEPS[step](order);
      parentPort.postMessage({ step: 'done', number, ...told });
    } catch (error) {
      parentPort.postMessage({ step: 'failed', number, why: await end(number, error) });
    }
  }
}

function listen() { parentPort.on('message', take); }

module.exports = { listen };
