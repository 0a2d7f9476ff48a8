'use strict';
// Events of tests from a child to its parent, between whatever else the child writes.

const { inspect } = require('internal/inspect/inspect');

const START = Buffer.from([0xff, 0x0f]);

// Values that JSON does not know are sent as their text.
class Shown {
  constructor(text) { this.text = text; }

  [inspect.custom]() { return this.text; }
}

function encode(value, depth = 0) {
  if (value === undefined) return { $: 'undefined' };
  if (typeof value === 'bigint') return { $: 'bigint', value: `${value}` };
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { $: 'number', value: `${value}` };
  }
  if (value === null || (typeof value !== 'object' && typeof value !== 'function' &&
    typeof value !== 'symbol')) return value;
  if (binding('util').isError(value) && depth < 8) {
    const { name, message, stack } = value;
    const fields = {};
    for (const key of Object.keys(value)) fields[key] = encode(value[key], depth + 1);
    if (Object.hasOwn(value, 'cause')) fields.cause = encode(value.cause, depth + 1);
    return { $: 'error', name, message, stack, fields };
  }
  if (Array.isArray(value) && depth < 8) return value.map((one) => encode(one, depth + 1));
  const proto = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if ((proto === Object.prototype || proto === null) && depth < 8) {
    const out = {};
    for (const key of Object.keys(value)) out[`_${key}`] = encode(value[key], depth + 1);
    return out;
  }
  return { $: 'shown', value: inspect(value) };
}

function decodeError({ name, message, stack, fields }) {
  const Known = [TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError]
    .find((one) => one.name === name);
  const error = new (Known ?? Error)(message);
  if (error.name !== name) {
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true,
      enumerable: false });
  }
  Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true,
    enumerable: false });
  for (const [key, value] of Object.entries(fields)) error[key] = decode(value);
  return error;
}

function decode(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decode);
  switch (value.$) {
    case 'undefined': return undefined;
    case 'bigint': return BigInt(value.value);
    case 'number': return Number(value.value);
    case 'error': return decodeError(value);
    case 'shown': return new Shown(value.value);
    default: break;
  }
  const out = {};
  for (const key of Object.keys(value)) out[key.slice(1)] = decode(value[key]);
  return out;
}

function frameOf(event) {
  const body = Buffer.from(JSON.stringify(encode(event)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([START, length, body]);
}

// Cuts what a child writes into events and text.
class Reader {
  #rest = Buffer.alloc(0);
  #onEvent;
  #onText;

  constructor(onEvent, onText) {
    this.#onEvent = onEvent;
    this.#onText = onText;
  }

  take(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length > 0) {
      const at = this.#rest.indexOf(START);
      if (at !== 0) {
        const end = at === -1 ? this.#rest.length - (this.#rest.at(-1) === START[0] ? 1 : 0) : at;
        if (end === 0) return;
        this.#onText(this.#rest.subarray(0, end));
        this.#rest = this.#rest.subarray(end);
        continue;
      }
      if (this.#rest.length < 6) return;
      const length = this.#rest.readUInt32BE(2);
      if (this.#rest.length < 6 + length) return;
      const body = this.#rest.subarray(6, 6 + length).toString();
      this.#rest = this.#rest.subarray(6 + length);
      this.#onEvent(decode(JSON.parse(body)));
    }
  }

  end() {
    if (this.#rest.length > 0) this.#onText(this.#rest);
  }
}

module.exports = { frameOf, Reader };
