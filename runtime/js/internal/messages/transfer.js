'use strict';
// How values travel between threads: what the engine's own copy does not know goes as
// marked arrays.

const { clone, setOwn } = require('internal/messages/clone');
const kinds = require('internal/crypto/kinds');
const { withCode } = require('internal/errors/errors');
const { kClone, kDeserialize, kTransfer, kTransferList } =
  require('internal/messages/transfer_symbols');

const MARK = '\u0000phasor';
const MAKERS = {
  'internal/fs/promises:FileHandle': () => require('fs/promises').FileHandle,
  'internal/socketaddress:SocketAddress': () => require('net').SocketAddress,
  'internal/abort_controller:ClonedAbortSignal': () => (
    { [kDeserialize]: require('internal/events/abort').revive }),
};

let Port; // MessagePort, which loads this module
const untransferable = new WeakSet();

function setPort(given) { Port = given; }

const isPort = (value) => Port !== undefined && value instanceof Port;

function markAsUntransferable(value) {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
    untransferable.add(value);
  }
}

function refuse(text) {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException(text, 'DataCloneError');
}

function needsTransfer() {
  return withCode(TypeError, 'ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST',
    'Object that needs transfer was found in message but not listed in transferList');
}

function notIterable(name) {
  return withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
    `Optional ${name} argument must be an iterable`);
}

function listOf(value, name) {
  const iterate = value?.[Symbol.iterator];
  if (value === null || typeof value !== 'object' || typeof iterate !== 'function') {
    throw notIterable(name);
  }
  const iterator = iterate.call(value);
  if (typeof iterator?.next !== 'function') throw notIterable(name);
  const found = [];
  for (let step = iterator.next(); !step.done; step = iterator.next()) found.push(step.value);
  return found;
}

// The list of what is to be moved, from postMessage's second argument.
function transferList(options) {
  if (options === undefined || options === null) return [];
  if (typeof options !== 'object') throw notIterable('transferList');
  if (options[Symbol.iterator] !== undefined) return listOf(options, 'transferList');
  return options.transfer === undefined ? [] : listOf(options.transfer, 'options.transfer');
}

// Nothing can go twice, nor what is gone, nor through itself.
function checkTransfer(list, source) {
  list.forEach((one, i) => {
    if (one instanceof Port) {
      if (one === source) throw refuse('Transfer list contains source port');
      if (!one[Port.kIsOpen]()) throw refuse('MessagePort in transfer list is already detached');
    }
    if (list.indexOf(one) === i) return;
    throw refuse(`Transfer list contains duplicate ${
      one instanceof Port ? 'MessagePort' : 'ArrayBuffer'}`);
  });
}

// Packs one value.
class Packer {
  #copies = new Map();
  #buffers; // whose memory goes beside the message
  #listed; // all that the program wants to be transferred
  #moved = new Map(); // what is transferred, and what goes in its place

  constructor(transfer, buffers) {
    this.#listed = transfer;
    for (const one of transfer) this.#add(one);
    buffers.forEach((one, i) => this.#copies.set(one, [MARK, 'bytes', i]));
    this.#buffers = buffers;
  }

  #add(one) {
    if (untransferable.has(one) || this.#moved.has(one)) return;
    if (Port !== undefined && one instanceof Port) this.#moved.set(one, [MARK, 'port', 0]);
    else if (typeof one?.[kTransfer] === 'function') this.#moved.set(one, [MARK, 'made']);
  }

  pack(value) {
    const packed = this.#walk(value);
    for (const [one, made] of this.#moved) {
      if (made[1] === 'port') made[2] = one[Port.kRelease]();
    }
    return packed;
  }

  #keep(item, made) {
    this.#copies.set(item, made);
    return made;
  }

  #walk(item) {
    if (typeof item === 'function' || typeof item === 'symbol') return clone(item, new Map());
    if (item === null || typeof item !== 'object') return item;
    if (this.#copies.has(item)) return this.#copies.get(item);
    if (this.#moved.has(item)) return this.#move(item);
    if (Port !== undefined && item instanceof Port) throw needsTransfer();
    if (typeof item[kClone] === 'function') {
      const { data, deserializeInfo } = item[kClone]();
      const made = this.#keep(item, [MARK, 'made', deserializeInfo]);
      made.push(this.#walk(data));
      return made;
    }
    if (typeof item[kTransfer] === 'function') throw needsTransfer();
    if (item instanceof Error) return this.#error(item);
    if (item instanceof Map) {
      const made = this.#keep(item, [MARK, 'map', []]);
      for (const [key, one] of item) made[2].push([this.#walk(key), this.#walk(one)]);
      return made;
    }
    if (item instanceof Set) {
      const made = this.#keep(item, [MARK, 'set', []]);
      for (const one of item) made[2].push(this.#walk(one));
      return made;
    }
    if (item instanceof RegExp) return this.#keep(item, [MARK, 'regexp', item.source, item.flags]);
    const packed = kinds.pack(item);
    if (packed !== undefined) return this.#keep(item, [MARK, 'kind', ...packed]);
    if (!Array.isArray(item) && isOwn(item)) return this.#keep(item, this.#bytes(item));
    if (Array.isArray(item)) return this.#array(item);
    return this.#fill(this.#keep(item, {}), item, Object.keys(item));
  }

  #fill(made, item, keys) {
    for (const key of keys) setOwn(made, key, this.#walk(item[key]));
    return made;
  }

  // The engine's own copy knows elements only, and none that are absent.
  #array(item) {
    const keys = Object.keys(item);
    const { length } = item;
    const isDense = keys.length === length &&
      (length === 0 || keys[length - 1] === `${length - 1}`);
    if (isDense && item[0] !== MARK) {
      return this.#fill(this.#keep(item, new Array(length)), item, keys);
    }
    const made = this.#keep(item, [MARK, 'array', length, {}]);
    this.#fill(made[3], item, keys);
    return made;
  }

  #move(item) {
    const made = this.#keep(item, this.#moved.get(item));
    if (made[1] === 'port') return made;
    const more = item[kTransferList]?.() ?? [];
    const { data, deserializeInfo } = item[kTransfer]();
    checkTransfer(more);
    for (const one of more) this.#add(one);
    made.push(deserializeInfo, this.#walk(data));
    return made;
  }

  #error(item) {
    const made = this.#keep(item,
      [MARK, 'error', item.name, item.message, stackOf(item), {}]);
    this.#fill(made[5], item, Object.keys(item));
    return made;
  }

  #bytes(item) {
    const memory = ArrayBuffer.isView(item) ? item.buffer : item;
    if (memory instanceof ArrayBuffer && memory.detached) {
      // Who lists one that is gone has nothing to send in it.
      if (this.#listed.includes(item)) return new ArrayBuffer(0);
      throw refuse('An ArrayBuffer is detached and could not be cloned.');
    }
    if (memory === item) return item;
    const { buffer, byteOffset, byteLength } = item;
    const isShared = buffer instanceof SharedArrayBuffer;
    const name = binding('util').className(item);
    if (this.#buffers.includes(buffer)) {
      return [MARK, 'part', name, this.#walk(buffer), byteOffset, item.length ?? byteLength];
    }
    if (name !== 'DataView') return isShared ? item : new globalThis[name](item);
    return isShared ? [MARK, 'view', buffer, byteOffset, byteLength]
      : [MARK, 'view', buffer.slice(byteOffset, byteOffset + byteLength)];
  }
}

// What the engine's own copy knows.
function isOwn(item) {
  return item instanceof Date || ArrayBuffer.isView(item) || item instanceof ArrayBuffer ||
    item instanceof SharedArrayBuffer || binding('util').className(item) !== 'Object';
}

function pack(value, transfer, buffers = []) {
  const seen = new Map();
  for (const one of transfer) {
    if (one instanceof ArrayBuffer && !untransferable.has(one)) seen.set(one, one);
  }
  if (typeof value === 'function' || typeof value === 'symbol') clone(value, seen);
  const checked = hasUncloneable(value, new Set()) ? clone(value, seen) : value;
  return new Packer(transfer, buffers).pack(checked);
}

function stackOf(error) {
  try {
    const { stack } = error;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

function make(info, data) {
  const maker = MAKERS[info]?.() ?? (info.startsWith('internal/webstreams/')
    ? require('internal/web/transfer').MAKERS[info] : undefined);
  if (maker === undefined) {
    const at = info.lastIndexOf(':');
    const id = info.slice(0, at);
    if (require('module').builtinModules.includes(id)) {
      throw new Error(`Unknown deserialize spec ${info}`);
    }
    throw new Error(`Missing internal module '${id}'`);
  }
  return maker[kDeserialize](data);
}

function hasUncloneable(value, seen) {
  if (typeof value === 'function' || typeof value === 'symbol') return true;
  if (value === null || typeof value !== 'object' || seen.has(value)) return false;
  seen.add(value);
  // What travels in its own way is not looked into.
  if (typeof value[kTransfer] === 'function' || typeof value[kClone] === 'function') return false;
  if (ArrayBuffer.isView(value)) return false;
  const keys = Object.keys(value);
  // A getter is asked once, when its value is packed.
  return keys.length < 1e5 && keys.some((key) =>
    hasUncloneable(Object.getOwnPropertyDescriptor(value, key)?.value, seen));
}

const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

// The root of a message has the buffers that came beside it.
function unpack(value, seen = new Map([[MARK, value.b]])) {
  if (value === null || typeof value !== 'object') return value;
  if (seen.has(value)) return seen.get(value);
  if (Array.isArray(value) && value[0] === MARK) {
    const keep = (made) => {
      seen.set(value, made);
      return made;
    };
    switch (value[1]) {
      case 'port': return keep(new Port(value[2]));
      case 'made': return keep(make(value[2], unpack(value[3], seen)));
      case 'map': {
        const made = keep(new Map());
        for (const [key, one] of value[2]) made.set(unpack(key, seen), unpack(one, seen));
        return made;
      }
      case 'set': {
        const made = keep(new Set());
        for (const one of value[2]) made.add(unpack(one, seen));
        return made;
      }
      case 'array': {
        const made = keep(new Array(value[2]));
        for (const key of Object.keys(value[3])) setOwn(made, key, unpack(value[3][key], seen));
        return made;
      }
      case 'bytes': return seen.get(MARK)[value[2]];
      case 'part': return keep(new globalThis[value[2]](unpack(value[3], seen), value[4],
        value[5]));
      case 'view': return keep(new DataView(...value.slice(2)));
      case 'regexp': return keep(new RegExp(value[2], value[3]));
      case 'kind': return keep(kinds.revive(value[2], value[3]));
      default: {
        const made = keep(new (ERRORS[value[2]] ?? Error)(value[3]));
        made.stack = value[4];
        if (made.name !== value[2]) {
          Object.defineProperty(made, 'name', {
            value: value[2],
            configurable: true,
            writable: true,
          });
        }
        for (const key of Object.keys(value[5])) setOwn(made, key, unpack(value[5][key], seen));
        return made;
      }
    }
  }
  seen.set(value, value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date)
    return value;
  for (const key of Object.keys(value)) value[key] = unpack(value[key], seen);
  return value;
}

module.exports = { pack, unpack, transferList, checkTransfer, markAsUntransferable, setPort, isPort,
  refuse, untransferable, MAKERS, kTransfer, kTransferList, kClone, kDeserialize };
