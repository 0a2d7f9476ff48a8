'use strict';
// Thrown values on their way to another thread: pack() makes something that messages can carry,
// unpack() what the other side finds. Errors keep their class, their properties with those that
// getters of their classes give, and their cause; what can't travel is shown as text.

const CLASSES = { Error, TypeError, RangeError, URIError, SyntaxError, ReferenceError, EvalError,
  AggregateError };
const MOST_CAUSES = 100; // a getter may make another one each time
const CUSTOM = Symbol.for('nodejs.util.inspect.custom');

function classOf(error) {
  for (let proto = error; proto !== null; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.keys(CLASSES)) if (proto === CLASSES[name].prototype) return name;
  }
  return undefined;
}

function canTravel(value) {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (value === null || typeof value !== 'object') return true;
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

// One that can't be told is none: that of this place would be wrong.
function packStack(error, properties) {
  properties.stack = { enumerable: false, value: undefined };
  try {
    const { stack } = error;
    if (typeof stack === 'string') properties.stack.value = stack;
  } catch {
    // As with other getters.
  }
}

function packProperties(error, end, seen) {
  const properties = {};
  packStack(error, properties);
  for (let at = error; at !== end; at = Object.getPrototypeOf(at)) {
    for (const key of Object.getOwnPropertyNames(at)) {
      if (key === 'constructor' || Object.hasOwn(properties, key)) continue;
      try {
        const { enumerable } = Object.getOwnPropertyDescriptor(at, key);
        const value = error[key];
        if (key === 'cause') properties[key] = { enumerable, packed: pack(value, seen) };
        else if (canTravel(value)) properties[key] = { enumerable, value };
      } catch {
        // A getter that throws has nothing to tell.
      }
    }
  }
  return properties;
}

function packError(error, seen) {
  if (seen.includes(error)) return { kind: 'again', at: seen.indexOf(error) };
  if (seen.length > MOST_CAUSES) return { kind: 'value', value: undefined };
  const name = classOf(error);
  if (name === undefined) return undefined;
  seen.push(error);
  return { kind: 'error', name, properties: packProperties(error, CLASSES[name].prototype, seen) };
}

function pack(value, seen = []) {
  if (value instanceof Error || require('util').types.isNativeError(value)) {
    const packed = packError(value, seen);
    if (packed !== undefined) return packed;
  }
  if (typeof value === 'symbol') {
    return { kind: 'symbol', text: value.description, key: Symbol.keyFor(value) };
  }
  const { inspect } = require('internal/inspect/inspect');
  if (typeof value === 'object' && typeof value?.[CUSTOM] === 'function') {
    return { kind: 'shown', text: inspect(value) };
  }
  if (canTravel(value)) return { kind: 'value', value };
  return { kind: 'value', value: inspect(value) };
}

function unpackError({ name, properties }, made) {
  const error = Reflect.construct(Error, [], CLASSES[name]);
  for (const key of Object.getOwnPropertyNames(error)) delete error[key];
  made.push(error);
  for (const [key, { enumerable, value, packed }] of Object.entries(properties)) {
    Object.defineProperty(error, key, { enumerable, configurable: true, writable: true,
      value: packed === undefined ? value : unpack(packed, made) });
  }
  return error;
}

function unpack(packed, made = []) {
  switch (packed.kind) {
    case 'error': return unpackError(packed, made);
    case 'again': return made[packed.at];
    case 'symbol': return packed.key === undefined ? Symbol(packed.text) : Symbol.for(packed.key);
    case 'shown': return { [CUSTOM]: () => packed.text };
    default: return packed.value;
  }
}

module.exports = { pack, unpack };
