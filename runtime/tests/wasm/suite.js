'use strict';
// suite.js FOLDER [NAME...]: the standard's own tests, as the commands of wast2json, through the
// JavaScript interface. Prints what fails and, last, "passed PASSED of ALL in FILES files".
// Values that the interface can't carry (vectors, the bits of a NaN) are passed by a small module
// that is made for the call.

const fs = require('fs');
const path = require('path');

const CODE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, funcref: 0x70,
  externref: 0x6f };
const WIDTH = { i8: 1, i16: 2, i32: 4, i64: 8, f32: 4, f64: 8 };

const leb = (number) => {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return [...bytes, number];
};
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];
const text = (string) => [string.length, ...Buffer.from(string)];

function signedLeb(value) {
  const bytes = [];
  for (;;) {
    const byte = Number(value & 127n);
    value >>= 7n;
    const isLast = (value === 0n && !(byte & 64)) || (value === -1n && (byte & 64));
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

function littleEndian(value, width) {
  const bytes = [];
  for (let i = 0; i < width; i++, value >>= 8n) bytes.push(Number(value & 255n));
  return bytes;
}

const lanesOf = ({ lane_type: lane, value }) =>
  value.flatMap((one) => littleEndian(BigInt.asUintN(64, BigInt(one)), WIDTH[lane]));

function constant(argument) {
  const bits = argument.type === 'v128' ? 0n : BigInt(argument.value);
  switch (argument.type) {
    case 'i32': return [0x41, ...signedLeb(BigInt.asIntN(32, bits))];
    case 'i64': return [0x42, ...signedLeb(BigInt.asIntN(64, bits))];
    case 'f32': return [0x43, ...littleEndian(bits, 4)];
    case 'f64': return [0x44, ...littleEndian(bits, 8)];
    default: return [0xfd, 12, ...lanesOf(argument)];
  }
}

// The bits of the results as numbers: two for a vector.
function asBits(results) {
  const locals = results.map((type) => [1, CODE[type]]).flat();
  const code = results.map((type, i) => [0x21, results.length - 1 - i]).flat();
  const types = [];
  results.forEach((type, i) => {
    const local = i;
    if (type === 'v128') {
      code.push(0x20, local, 0xfd, 29, 0, 0x20, local, 0xfd, 29, 1);
      types.push('i64', 'i64');
    } else {
      code.push(0x20, local, ...(type === 'f32' ? [0xbc] : type === 'f64' ? [0xbd] : []));
      types.push(type === 'f32' ? 'i32' : type === 'f64' ? 'i64' : type);
    }
  });
  return { locals: [results.length, ...locals], code, types };
}

function callByModule(target, args, results) {
  const bits = asBits(results.slice());
  // The last result is on top: locals are set in the opposite order.
  const code = [...args.flatMap(constant), 0x10, 0, ...bits.code, 0x0b];
  const body = [...bits.locals, ...code];
  const types = (list) => [list.length, ...list.map((type) => CODE[type])];
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [2, 0x60, ...types(args.map(({ type }) => type)), ...types(results),
      0x60, 0, ...types(bits.types)]),
    ...section(2, [1, ...text('m'), ...text('f'), 0, 0]),
    ...section(3, [1, 1]),
    ...section(7, [1, ...text('run'), 0, 1]),
    ...section(10, [1, ...leb(body.length), ...body])];
  const module = new WebAssembly.Module(new Uint8Array(bytes));
  const { run } = new WebAssembly.Instance(module, { m: { f: target } }).exports;
  const value = run();
  const list = bits.types.length === 0 ? [] : bits.types.length === 1 ? [value] : value;
  const out = [];
  for (const type of results) {
    out.push(type === 'v128'
      ? BigInt.asUintN(64, list.shift()) | (BigInt.asUintN(64, list.shift()) << 64n)
      : list.shift());
  }
  return out;
}

const foreign = new Map(); // externrefs by number
function fromJson({ type, value }) {
  if (value === 'null') return null;
  if (type === 'i32') return Number(BigInt.asIntN(32, BigInt(value)));
  if (type === 'i64') return BigInt.asIntN(64, BigInt(value));
  if (!foreign.has(value)) foreign.set(value, { value });
  return foreign.get(value);
}

const isByValue = ({ type }) => type === 'f32' || type === 'f64' || type === 'v128';

function invoke(target, args, expected) {
  if (args.some(isByValue) || expected.some(isByValue)) {
    return callByModule(target, args, expected.map(({ type }) => type));
  }
  const value = target(...args.map(fromJson));
  return expected.length === 0 ? [] : expected.length === 1 ? [value] : [...value];
}

function isNaNPattern(bits, width, pattern) {
  const quiet = width === 32 ? 0x7fc00000n : 0x7ff8000000000000n;
  const sign = 1n << BigInt(width - 1);
  return pattern === 'nan:canonical' ? (bits & ~sign) === quiet : (bits & quiet) === quiet;
}

function isLane(bits, type, value) {
  const width = WIDTH[type] * 8;
  if (value.startsWith('nan:')) return isNaNPattern(bits, width, value);
  return bits === BigInt.asUintN(width, BigInt(value));
}

function isExpected(found, { type, value, lane_type: lane }) {
  if (type === 'v128') {
    const width = BigInt(WIDTH[lane] * 8);
    return value.every((one, i) =>
      isLane(BigInt.asUintN(Number(width), found >> (BigInt(i) * width)), lane, one));
  }
  if (type === 'f32') return isLane(BigInt.asUintN(32, BigInt(found)), type, value);
  if (type === 'f64') return isLane(BigInt.asUintN(64, found), type, value);
  if (type === 'funcref' && value !== 'null') return typeof found === 'function';
  return value === undefined ? found !== null : Object.is(found, fromJson({ type, value }));
}

function spectest() {
  const print = () => {};
  return {
    print, print_i32: print, print_i64: print, print_f32: print, print_f64: print,
    print_i32_f32: print, print_f64_f64: print,
    global_i32: new WebAssembly.Global({ value: 'i32' }, 666),
    global_i64: new WebAssembly.Global({ value: 'i64' }, 666n),
    global_f32: new WebAssembly.Global({ value: 'f32' }, 666.6),
    global_f64: new WebAssembly.Global({ value: 'f64' }, 666.6),
    table: new WebAssembly.Table({ element: 'anyfunc', initial: 10, maximum: 20 }),
    memory: new WebAssembly.Memory({ initial: 1, maximum: 2 }),
    shared_memory: new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }),
  };
}

class Suite {
  constructor(folder) {
    this.folder = folder;
    this.passed = 0;
    this.all = 0;
    this.failures = [];
  }

  start() {
    this.registry = { spectest: spectest() };
    this.named = new Map();
    this.current = undefined;
  }

  load(file) {
    const bytes = fs.readFileSync(path.join(this.folder, file));
    return new WebAssembly.Instance(new WebAssembly.Module(bytes), this.registry).exports;
  }

  act(action, expected = []) {
    const exports = action.module === undefined ? this.current : this.named.get(action.module);
    const target = exports[action.field];
    if (action.type !== 'get') return invoke(target, action.args, expected);
    const [{ type }] = expected;
    if (type !== 'f32' && type !== 'f64') return [target.value];
    const view = new DataView(new ArrayBuffer(8));
    if (type === 'f32') view.setFloat32(0, target.value);
    else view.setFloat64(0, target.value);
    return [type === 'f32' ? view.getUint32(0) : view.getBigUint64(0)];
  }

  throws(work, isRight) {
    try {
      work();
    } catch (error) {
      return isRight(error) ? '' : `throws ${error.name}: ${error.message}`;
    }
    return 'does not throw';
  }

  command(command) {
    const { WebAssembly: W } = globalThis;
    switch (command.type) {
      case 'module':
        this.current = this.load(command.filename);
        if (command.name !== undefined) this.named.set(command.name, this.current);
        return '';
      case 'register':
        this.registry[command.as] =
          command.name === undefined ? this.current : this.named.get(command.name);
        return '';
      case 'action':
        this.act(command.action, command.expected);
        return '';
      case 'assert_return': {
        const found = this.act(command.action, command.expected);
        return command.expected.every((one, i) => isExpected(found[i], one))
          ? '' : `gives ${found.map(String)}`;
      }
      case 'assert_trap':
        return this.throws(() => this.act(command.action, command.expected),
          (error) => error instanceof W.RuntimeError);
      case 'assert_exhaustion':
        return this.throws(() => this.act(command.action, command.expected),
          (error) => error instanceof RangeError);
      case 'assert_exception':
        return this.throws(() => this.act(command.action, command.expected),
          (error) => error instanceof W.Exception);
      case 'assert_invalid':
      case 'assert_malformed':
        if (command.module_type === 'text') return undefined;
        return this.throws(() => this.load(command.filename),
          (error) => error instanceof W.CompileError);
      case 'assert_unlinkable':
        return this.throws(() => this.load(command.filename),
          (error) => error instanceof W.LinkError || error instanceof TypeError);
      case 'assert_uninstantiable':
        return this.throws(() => this.load(command.filename),
          (error) => error instanceof W.RuntimeError);
      default:
        return `is unknown: ${command.type}`;
    }
  }

  run(file) {
    this.start();
    const { commands } = JSON.parse(fs.readFileSync(path.join(this.folder, file), 'utf8'));
    for (const command of commands) {
      let problem;
      try {
        problem = this.command(command);
      } catch (error) {
        problem = `threw ${error?.name}: ${error?.message}`;
      }
      if (problem === undefined) continue;
      this.all++;
      if (problem === '') this.passed++;
      else this.failures.push(`${file}:${command.line}: ${command.type} ${
        command.action?.field ?? command.filename ?? ''} ${problem}`);
    }
  }
}

const [folder, ...names] = process.argv.slice(2);
const suite = new Suite(folder);
const files = fs.readdirSync(folder).filter((file) => file.endsWith('.json') &&
  (names.length === 0 || names.includes(file.slice(0, -5)))).sort();
for (const file of files) suite.run(file);
for (const failure of suite.failures) console.log(failure);
console.log(`passed ${suite.passed} of ${suite.all} in ${files.length} files`);
process.exitCode = suite.failures.length === 0 ? 0 : 1;
