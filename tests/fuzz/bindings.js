'use strict';
// bindings.js SEED ROUNDS: calls of every function of every binding with hostile arguments. It runs
// in an empty folder. It passes if the process lives to its end; a sanitizer sees the rest.
//
// Nothing outside is touched: paths are relative and made of letters, descriptors are files of our
// own or closed, addresses are loopback's, and what signals or ends processes is not called.
const fs = require('fs');

// Calls may change the mode of whatever gets a closed descriptor's number: root needs the guard.
if (process.getuid() === 0 && process.env.FUZZ_INSIDE === undefined) {
  console.error('run this by bindings.sh');
  process.exit(2);
}
const seed = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 50);
let state = (seed * 2654435761) >>> 0 || 1;
function random(below) {
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}
const pick = (list) => list[random(list.length)];

const SKIPPED = new Set(['process.exit', 'process.endNow', 'process.abort', 'process.kill',
  'process.chdir', 'process.umask', 'os.priority', 'stream.setBlocking', 'buffer.setPrototype',
  'worker.start', 'gate.setContext', 'child.kill', 'ares.create', 'sqlite.loadExtension',
  'util.defaultPrepare',
  // A hook that throws ends the process, as it must.
  'gate.setPromiseHook', 'gate.setAsyncHook', 'hooked.setAsyncHook',
  'modules.setPrepare', 'inspector.start', 'inspector.receive']);
// The address sanitizer ends a process that asks for such a library.
const DEEPBIND = 8;
const LOOPBACK = ['127.0.0.1', '::1'];

fs.writeFileSync('file', 'some bytes of a file');
const files = [fs.openSync('file', 'r+'), fs.openSync('other', 'w+')];

const NUMBERS = [NaN, Infinity, -Infinity, -0, 0, -1, 0.5, 2 ** 16, 2 ** 31 - 1, 2 ** 31, 2 ** 32,
  2 ** 53, -(2 ** 31), -(2 ** 53), 1e300, 100000, 0n, -1n, 2n ** 64n];
const TEXTS = ['', 'a', 'file', 'other', 'none', 'x'.repeat(300), 'x'.repeat(5000), 'a\0b',
  '\u20ac', '\ud800', 'utf8', 'sha1', 'md5', '127.0.0.1', '::1',
  'GET', 'a\r\nb', '{', '1', 'export let a'];

function detached(buffer) {
  structuredClone(0, { transfer: [buffer] });
  return buffer;
}

function shrunk(make) {
  const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
  const view = make(buffer);
  buffer.resize(pick([0, 1, 40, 128]));
  return view;
}

// Bytes are letters only: they may be taken for names of files.
const letters = (size) => new Uint8Array(size).fill(97 + random(26));
const BYTES = [
  () => letters(pick([0, 1, 5, 64, 1000, 70000])),
  () => Buffer.alloc(pick([0, 1, 10]), 'q'),
  () => new Float64Array(4).fill(1.2e161),
  () => letters(16).buffer,
  () => new DataView(letters(16).buffer, 3, 5),
  () => new Uint8Array(new SharedArrayBuffer(16)),
  () => new SharedArrayBuffer(8),
  () => { const view = letters(32); detached(view.buffer); return view; },
  () => detached(letters(8).buffer),
  () => { const view = new DataView(letters(8).buffer); detached(view.buffer); return view; },
  () => shrunk((buffer) => new Uint8Array(buffer, 32, 32)),
  () => shrunk((buffer) => new Uint8Array(buffer, 8)),
  () => shrunk((buffer) => new DataView(buffer, 32)),
  () => Object.defineProperty(letters(8), 'byteLength', { value: 1e9 }),
  () => Object.defineProperty(new DataView(new ArrayBuffer(8)), 'byteLength', { value: 1e9 }),
  () => Object.setPrototypeOf(letters(8), null),
];

const handles = [];
const made = []; // what calls have given
const recent = []; // bytes of the last calls

// What a callback or a getter may do while C is not looking.
function harm() {
  switch (random(7)) {
    case 0: {
      const one = pick(recent);
      const buffer = one?.buffer ?? one;
      if (buffer instanceof ArrayBuffer) detached(buffer);
      break;
    }
    case 1: {
      const one = pick(recent);
      if (one?.buffer?.resizable) one.buffer.resize(random(128));
      break;
    }
    case 2: if (handles.length > 0) nativeBinding('stream').close(pick(handles), undefined); break;
    case 3: throw new Error('thrown on purpose');
    case 4: recent.length = 0; break;
    case 5: if (typeof gc === 'function') gc(); break;
    default: break;
  }
}

const OBJECTS = [
  () => ({}), () => [], () => null, () => undefined, () => true, () => Symbol('s'),
  () => new Proxy({}, { get() { harm(); return pick(NUMBERS); } }),
  () => new Proxy([], { get(target, key) { harm(); return key === 'length' ? 3 : any(); } }),
  () => ({
    get length() { harm(); return pick([0, 1, 2, 5]); },
    0: bytes(),
    get 1() { harm(); return bytes(); },
  }),
  () => ({
    toString() { harm(); return pick(TEXTS); },
    valueOf() { harm(); return pick(NUMBERS); },
  }),
  () => [bytes(), bytes()], () => [bytes(), null], () => new Array(5),
  () => ({ file: 'true', args: ['true'], env: [], stdio: [null, null, null] }),
  () => ({ file: any(), args: list(), stdio: list(), env: list(), cwd: any() }),
  () => answer(),
  () => Promise.resolve(1), () => new Map([[1, 2]]), () => new Date(0),
  () => () => harm(), () => function named() { harm(); return any(); }, () => class {},
];

function bytes() {
  const one = pick(BYTES)();
  recent.push(one);
  if (recent.length > 20) recent.shift();
  return one;
}

function list() {
  return Array.from({ length: random(4) }, any);
}

// What an HTTP answer is made from: the first line and what follows, where it goes, its body.
function answer() {
  const parts = Array.from({ length: 12 }, any);
  if (handles.length > 0) parts[7] = pick(handles);
  return parts;
}

let depth = 0;
function any() {
  if (depth > 3) return pick(NUMBERS);
  depth++;
  try {
    switch (random(8)) {
      case 0: case 1: return pick(NUMBERS);
      case 2: return pick(TEXTS);
      case 3: case 4: return bytes();
      case 5: return handles.length > 0 ? pick(handles) : pick(files);
      case 6: return made.length > 0 ? pick(made) : pick(files);
      default: return pick(OBJECTS)();
    }
  } finally {
    depth--;
  }
}

const VALUES = [{ a: [1, 'x', { b: 2n }] }, [new Map([[1, new Set([2])]]), new Date(0)],
  [letters(8), new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }))], ['\u20ac', NaN, -1e300]];

function broken(written) {
  const copy = Buffer.from(written);
  for (let i = random(4); i > 0 && copy.length > 0; i--) copy[random(copy.length)] = random(256);
  return copy.subarray(0, random(3) === 0 ? random(copy.length) : copy.length);
}

// Names that OpenSSL knows, and keys, so that calls come far; nothing that takes minutes.
const DIGESTS = ['sha1', 'sha256', 'shake128', 'none'];
const CIPHERS = ['aes-128-cbc', 'aes-128-gcm', 'aes-128-ccm', 'aes-128-ecb', 'id-aes128-wrap',
  'chacha20-poly1305', 'aes-128-xts', 'none'];
const small = (n) => pick([n, n, n, NaN, -1, 0, 1]);
const CRYPTO = {
  createHash: [() => pick(DIGESTS)], createHmac: [() => pick(DIGESTS)],
  hash: [() => pick(DIGESTS)], hashLater: [() => pick(DIGESTS)],
  createSignature: [() => pick(DIGESTS)], sign: [() => pick(DIGESTS)],
  verify: [() => pick(DIGESTS)],
  rsa: [() => random(5), any, () => small(4), () => pick(DIGESTS)],
  createCipher: [() => random(2), () => pick(CIPHERS), () => letters(pick([16, 16, 32, 5])),
    () => pick([letters(16), letters(12), letters(8), null]), () => small(16)],
  cipherOnce: [() => random(2), () => pick(CIPHERS), () => letters(pick([16, 16, 32, 5])),
    () => letters(pick([16, 12, 8, 0])), bytes, () => small(16), bytes],
  bytesToKey: [() => pick(CIPHERS)], cipherInfo: [() => pick(CIPHERS)],
  exportKey: [any, () => random(2), () => pick(['pkcs1', 'pkcs8', 'spki', 'sec1']),
    () => pick([...CIPHERS, undefined])],
  parseKey: [() => random(2), bytes, () => random(2), () => pick(['pkcs1', 'pkcs8', 'spki'])],
  pbkdf2: [() => pick(DIGESTS), any, any, () => small(2), () => small(100)],
  hkdf: [() => pick(DIGESTS), any, any, any, () => small(100)],
  scrypt: [any, any, () => small(4), () => small(1), () => small(1), () => 2 ** 20, () => small(9)],
  generateRsa: [() => 0, () => small(512), () => 65537, () => pick(DIGESTS)],
  generateDsa: [() => small(1), () => small(160)], generateDh: [() => small(1)],
  generateEc: [() => pick(['prime256v1', 'none'])], generateSecret: [() => small(32)],
  generateRaw: [() => pick(['ED25519', 'X25519', 'none'])],
  keyFromRaw: [() => pick(['ED25519', 'X25519', 'none']), () => random(2), () => letters(32)],
  keyFromPoint: [() => pick(['prime256v1', 'none'])],
  generatePrime: [() => small(32)], checkPrime: [() => letters(4), () => small(1)],
  createDh: [() => small(1)], dhGroup: [() => pick(['modp1', 'none'])],
  createEcdh: [() => pick(['prime256v1', 'none'])],
  convertPoint: [bytes, () => pick(['prime256v1', 'none'])],
  setFips: [() => false], secureHeapStart: [() => 0],
};

function aimAtCrypto(name, args) {
  const aims = CRYPTO[name.slice('crypto.'.length)] ?? [];
  aims.forEach((aim, i) => { if (random(8) > 0) args[i] = aim(); });
  // What OpenSSL would work on for a long time.
  if (/generate(Rsa|Prime)/.test(name) && !(args[name.endsWith('Rsa') ? 1 : 0] <= 512))
    args[name.endsWith('Rsa') ? 1 : 0] = 64;
  if (name.endsWith('generatePrime')) args[2] = args[3] = undefined; // there may be no such prime
  if (/generate(Dsa|Dh)|createDh$|createDhFrom|pbkdf2|scrypt|setFips|secureHeapStart/.test(name))
    aims.forEach((aim, i) => { args[i] = aim(); });
}

// Resolvers that ask nobody but loopback.
const resolvers = nativeNames.includes('ares') ? [1, 2].map((tries) => {
  const made = nativeBinding('ares').create(20, tries);
  nativeBinding('ares').setServers(made, ['127.0.0.1', 9]);
  return made;
}) : [];

const SQL = ['SELECT 1', 'SELECT ?, $a, :b', 'CREATE TABLE t(a, b)', 'INSERT INTO t VALUES (?, ?)',
  'SELECT * FROM t', 'SELECT f(a) FROM t', 'DELETE FROM t', 'BEGIN', 'ROLLBACK', 'x'];
const databases = [];

// Databases in memory, with functions that close what runs.
function aimAtDatabases(name, args) {
  const native = nativeBinding('sqlite');
  const of = name.slice('sqlite.'.length);
  if (of === 'open') args[0] = ':memory:';
  if (of === 'backup') args[1] = ':memory:';
  if (databases.length < 3 || random(40) === 0)
    databases.push(native.open(':memory:', false, true, true, false, 0));
  if (random(6) === 0) return;
  const database = pick(databases);
  const entry = () => pick([() => native.close(database), () => pick(VALUES),
    { start: () => [], step: (list) => list, result: () => native.close(database) }]);
  if (/^(close|exec|location|inTransaction|prepare|define|createSession|backup|applyChangeset)$/
    .test(of)) args[0] = database;
  if (/^(exec|prepare)$/.test(of)) [args[1], args[2]] = [[entry(), entry()], pick(SQL)];
  if (/^(step|all|run)$/.test(of)) args[1] = [entry(), entry()];
  if (of === 'define') [args[1], args[2], args[4]] = ['f', 1, random(2)];
}

// Arguments that some functions must have, or must not have.
function argumentsFor(name) {
  const args = Array.from({ length: random(13) }, any);
  const [family] = name.split('.');
  if (family === 'dns') args[0] = pick(LOOPBACK);
  if (family === 'ares' && random(8) > 0) args[0] = pick(resolvers);
  if (family === 'sqlite') aimAtDatabases(name, args);
  if (family === 'crypto') aimAtCrypto(name, args);
  if (name === 'zlib.create') args[0] = pick([0, 1, 2, 3, 4, 5, 6, 7, 99]);
  if (name === 'buffer.alloc') args[0] = pick([NaN, -1, 0, 1, 1000, 2 ** 31, 2 ** 53]);
  if (/^(modules\.(run|eval|compile)|vm\.run)/.test(name)) args[0] = pick(TEXTS);
  if (family === 'child') args[0] = { ...OBJECTS[13](), timeout: 5000 };
  if (/^http\.(head|respond)$/.test(name) && random(5) > 0) return answer();
  if (name === 'vm.read') args[0] = broken(nativeBinding('vm').write(pick(VALUES)));
  if (/^(timers\.set|gate\.)/.test(name)) args[0] = pick(OBJECTS)();
  if (family === 'timers') args[1] = pick([0, 1, NaN]);
  if (family !== 'fs' && family !== 'watch') return args;
  const isOurs = (one) => typeof one === 'number' && one >= 0 && one < 100;
  return args.map((one) => (isOurs(one) ? pick(files) : one));
}

const only = new RegExp(process.env.FUZZ_ONLY ?? '');
const functions = [];
for (const name of nativeNames) {
  const binding = nativeBinding(name);
  for (const key of Object.keys(binding).concat(Object.getOwnPropertyNames(binding))) {
    if (typeof binding[key] !== 'function' || SKIPPED.has(`${name}.${key}`)) continue;
    if (!only.test(`${name}.${key}`)) continue;
    functions.push([`${name}.${key}`, binding[key]]);
  }
}

function keep(value) {
  if (value === null || typeof value !== 'object') return;
  const stream = nativeBinding('stream');
  const isHandle = stream.close.name !== undefined && isHandleObject(value);
  const where = isHandle ? handles : made;
  where.push(value);
  if (where.length > 30) where.shift();
}

function isHandleObject(value) {
  return nativeBinding('util').className(value) === 'Handle';
}

function callOne() {
  const [name, call] = pick(functions);
  if (process.env.FUZZ_LOG) fs.appendFileSync(process.env.FUZZ_LOG, `${name}\n`);
  const self = pick([undefined, null, 1, {}, ...handles, ...made]);
  try {
    const values = argumentsFor(name);
    if (name === 'napi.load' && typeof values[3] === 'number') values[3] &= ~DEEPBIND;
    keep(Reflect.apply(call, self, values));
  } catch {
    // Any exception is a good answer.
  }
  if (/^gate\.set\w+Hook$/.test(name)) useHook(call);
}

// A hook is asked by everything that is queued; then it goes, so that this program goes on.
function useHook(set) {
  for (const use of [() => process.nextTick(harm), () => queueMicrotask(harm),
    () => Promise.resolve(any()).then(harm), () => clearTimeout(setTimeout(harm, 0)),
    () => setImmediate(harm)]) {
    try {
      use();
    } catch {
      // So is it here.
    }
  }
  set(undefined);
}

process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
process.on('warning', () => {});
process.removeAllListeners('warning');
process.on('warning', () => {});

const exit = process.exit;
let round = 0;
function step() {
  for (let i = 0; i < 40; i++) callOne();
  if (handles.length > 20)
    for (const one of handles.splice(0)) nativeBinding('stream').close(one, undefined);
  round++;
  if (round < rounds) setImmediate(step);
  else setTimeout(() => exit.call(process, 0), 20);
}
step();
