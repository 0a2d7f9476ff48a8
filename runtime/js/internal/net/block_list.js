'use strict';
// net.SocketAddress and net.BlockList.

const { invalidArgValue, withCode } = require('internal/errors/errors');
const { validateInt32, validateObject, validatePort, validateString, validateUint32 } =
  require('internal/errors/validators');
const { kClone, kDeserialize } = require('internal/messages/transfer_symbols');

// An address as one whole number, and how many bits it has.
function toNumber(address, family) {
  if (family === 'ipv4') {
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  }
  let text = address.replace(/%.*$/, '');
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) {
    const low = toNumber(dotted[2], 'ipv4');
    text = `${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  }
  const [left, right] = text.split('::');
  const words = (part) => (part ? part.split(':') : []);
  const head = words(left);
  const tail = right === undefined ? [] : words(right);
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...new Array(zeros).fill('0'), ...tail]
    .reduce((sum, part) => sum * 65536n + BigInt(`0x${part}`), 0n);
}

const BITS = { ipv4: 32n, ipv6: 128n };
const MAPPED = 0xffffn << 32n; // IPv4 addresses inside IPv6

const kDetail = Symbol('kDetail');

class SocketAddress {
  static isSocketAddress(value) { return value?.[kDetail] !== undefined; }

  constructor(options = {}) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    if (typeof family?.toLowerCase === 'function') family = family.toLowerCase();
    if (family !== 'ipv4' && family !== 'ipv6') {
      throw invalidArgValue('options.family', options.family);
    }
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel');
    if (require('net').isIP(address) !== (family === 'ipv4' ? 4 : 6)) {
      throw withCode(Error, 'ERR_INVALID_ADDRESS', 'Invalid address');
    }
    Object.defineProperty(this, kDetail, { value: { address, port: port | 0, family, flowlabel } });
  }

  get address() { return this[kDetail].address; }

  get port() { return this[kDetail].port; }

  get family() { return this[kDetail].family; }

  get flowlabel() { return this[kDetail].flowlabel; }

  toJSON() { return { ...this[kDetail] }; }

  [kClone]() {
    return { data: this.toJSON(), deserializeInfo: 'internal/socketaddress:SocketAddress' };
  }

  static [kDeserialize](detail) { return new SocketAddress(detail); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return this;
    return `SocketAddress ${inspect(this.toJSON(), options)}`;
  }
}

function toAddress(address, family, name) {
  if (SocketAddress.isSocketAddress(address)) return address;
  validateString(address, name);
  validateString(family, 'family');
  return new SocketAddress({ address, family });
}

// Copies of a list in its own thread are the same list.
const thread = binding('worker').startData()?.[2] ?? 0;
const shared = new Map();
let lastShared = 0;

class BlockList {
  #rules = [];

  static pack(list) {
    let id = list.#rules.id;
    if (id === undefined) {
      id = ++lastShared;
      Object.defineProperty(list.#rules, 'id', { value: id });
      shared.set(id, new WeakRef(list.#rules));
    }
    return [thread, id, list.#rules];
  }

  static revive([from, id, rules]) {
    const list = new BlockList();
    list.#rules = (from === thread ? shared.get(id)?.deref() : undefined) ?? [...rules];
    return list;
  }

  static isBlockList(value) { return value !== null && typeof value === 'object' &&
    #rules in value; }

  #add(text, family, low, high) {
    this.#rules.unshift({ text, family, low, high });
  }

  addAddress(address, family = 'ipv4') {
    const one = toAddress(address, family, 'address');
    const number = toNumber(one.address, one.family);
    this.#add(`Address: ${label(one.family)} ${one.address}`, one.family, number, number);
  }

  addRange(start, end, family = 'ipv4') {
    const from = toAddress(start, family, 'start');
    const to = toAddress(end, family, 'end');
    const low = toNumber(from.address, from.family);
    const high = toNumber(to.address, to.family);
    if (low > high) throw invalidArgValue('start', start, `must come before ${to.address}`);
    this.#add(`Range: ${label(from.family)} ${from.address}-${to.address}`, from.family, low, high);
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const one = toAddress(network, family, 'network');
    validateInt32(prefix, 'prefix', 0, Number(BITS[one.family]));
    const free = BITS[one.family] - BigInt(prefix);
    const low = (toNumber(one.address, one.family) >> free) << free;
    this.#add(`Subnet: ${label(one.family)} ${one.address}/${prefix}`, one.family, low,
      low + (1n << free) - 1n);
  }

  check(address, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      try {
        address = new SocketAddress({ address, family });
      } catch {
        return false;
      }
    }
    const number = toNumber(address.address, address.family);
    const isIn = (kind, value) => this.#rules.some((rule) =>
      rule.family === kind && value >= rule.low && value <= rule.high);
    if (isIn(address.family, number)) return true;
    if (address.family === 'ipv4') return isIn('ipv6', MAPPED + number);
    return number >> 32n === MAPPED >> 32n && isIn('ipv4', number - MAPPED);
  }

  get rules() { return this.#rules.map((rule) => rule.text); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return '[BlockList]';
    return `BlockList ${inspect({ rules: this.rules }, options)}`;
  }
}

function label(family) { return family === 'ipv4' ? 'IPv4' : 'IPv6'; }

const { pack, revive } = BlockList;
delete BlockList.pack;
delete BlockList.revive;
const { register } = require('internal/crypto/kinds');
register('BlockList', { is: BlockList.isBlockList, pack, revive });

module.exports = { BlockList, SocketAddress };
