'use strict';
// BroadcastChannel: whoever has one of the same name hears what the others say, in all threads.

const { MessagePort, kReceive, kCancel, native } = require('internal/messages/port');
const { EventTarget, defineHandler } = require('internal/events/target');
const { Told } = require('internal/messages/event');
const { missingArgs, withCode } = require('internal/errors/errors');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

function invalidThis() {
  return withCode(TypeError, 'ERR_INVALID_THIS',
    'Value of "this" must be of type BroadcastChannel');
}

class BroadcastChannel extends EventTarget {
  #name;
  #port;
  #isClosed = false;

  constructor(name) {
    if (arguments.length === 0) throw missingArgs('name');
    super();
    this.#name = `${name}`;
    this.#port = new MessagePort(native.join(this.#name));
    for (const type of ['message', 'messageerror']) {
      this.#port.addEventListener(type, (event) => {
        this.dispatchEvent(new Told(type, event.data, []));
      });
    }
  }

  static #check(channel) {
    if (channel === null || typeof channel !== 'object' || !(#port in channel)) {
      throw invalidThis();
    }
  }

  get name() {
    BroadcastChannel.#check(this);
    return this.#name;
  }

  close() {
    BroadcastChannel.#check(this);
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#port[kCancel]();
  }

  postMessage(message) {
    BroadcastChannel.#check(this);
    if (arguments.length === 0) throw missingArgs('message');
    if (this.#isClosed) {
      const { DOMException } = require('internal/errors/dom_exception');
      throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    }
    this.#port.postMessage(message);
  }

  ref() {
    BroadcastChannel.#check(this);
    this.#port.ref();
    return this;
  }

  unref() {
    BroadcastChannel.#check(this);
    this.#port.unref();
    return this;
  }

  static receive(channel) {
    return #port in channel ? channel.#port[kReceive]() : undefined;
  }

  [kInspect](depth, options, inspect) {
    BroadcastChannel.#check(this);
    if (depth < 0) return 'BroadcastChannel';
    return `BroadcastChannel ${inspect({ name: this.#name, active: !this.#isClosed },
      { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }
}
const { receive } = BroadcastChannel;
delete BroadcastChannel.receive;
for (const name of ['name', 'close', 'postMessage', 'ref', 'unref']) {
  Object.defineProperty(BroadcastChannel.prototype, name, { enumerable: true });
}
Object.defineProperty(BroadcastChannel.prototype, Symbol.toStringTag,
  { value: 'BroadcastChannel', configurable: true });
defineHandler(BroadcastChannel, 'message');
defineHandler(BroadcastChannel, 'messageerror');

module.exports = { BroadcastChannel, receive };
