'use strict';
// MessageEvent: what ports and broadcast channels tell.

const { Event, invalidThis } = require('internal/events/target');
const { invalidArgType } = require('internal/errors/errors');

function checkPort(value, name) {
  const { MessagePort } = require('internal/messages/port');
  if (!(value instanceof MessagePort)) throw invalidArgType(name, 'MessagePort', value);
}

class MessageEvent extends Event {
  #data;
  #origin;
  #lastEventId;
  #source;
  #ports;

  constructor(type, init = {}) {
    const { data = null, origin = '', lastEventId = '', source = null, ports = [] } = init ?? {};
    if (source !== null) checkPort(source, 'init.source');
    if (typeof ports?.[Symbol.iterator] !== 'function') {
      throw new TypeError('ports is not iterable');
    }
    const list = [...ports];
    list.forEach((port, i) => checkPort(port, `init.ports[${i}]`));
    super(type, init);
    this.#data = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = source;
    this.#ports = list;
  }

  static #check(event) {
    if (event === null || typeof event !== 'object' || !(#data in event)) {
      throw invalidThis('MessageEvent');
    }
    return event;
  }

  get data() { return MessageEvent.#check(this).#data; }

  get origin() { return MessageEvent.#check(this).#origin; }

  get lastEventId() { return MessageEvent.#check(this).#lastEventId; }

  get source() { return MessageEvent.#check(this).#source; }

  get ports() { return MessageEvent.#check(this).#ports; }
}
for (const name of ['data', 'origin', 'lastEventId', 'source', 'ports']) {
  Object.defineProperty(MessageEvent.prototype, name, { enumerable: true });
}

// A message that says nothing says undefined, which the constructor takes for null.
class Told extends MessageEvent {
  #told;

  constructor(type, data, ports) {
    super(type, { ports });
    this.#told = data;
  }

  get data() { return this.#told; }
}
Object.defineProperty(Told.prototype, 'constructor', { value: MessageEvent });

module.exports = { MessageEvent, Told };
