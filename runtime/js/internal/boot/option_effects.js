'use strict';
// What options do to the program that is about to start, and the values that they refuse.

const CHOICES = {
  'unhandled-rejections': ['none', 'warn', 'strict', 'throw', 'warn-with-error-code'],
  'input-type': ['module', 'commonjs'],
  'dns-result-order': ['verbatim', 'ipv4first', 'ipv6first'],
  'disable-proto': ['delete', 'throw'],
  'trace-require-module': ['all', 'no-node-modules'],
  'use-largepages': ['off', 'on', 'silent'],
};
const WORDS = {
  'input-type': '--input-type must be "module" or "commonjs"',
  'disable-proto': 'invalid mode passed to --disable-proto',
};

const PROFILES = ['cpu-prof', 'heap-prof'].flatMap((name) =>
  [name, `${name}-name`, `${name}-dir`, `${name}-interval`]);

// The engine has options of its own that allow things.
const PERMISSION =
  /^(experimental-permission|allow-(addons|child-process|fs-read|fs-write|wasi|worker))$/;

function loadFiles(options, fail) {
  const { load } = require('internal/boot/dotenv');
  const set = new Set();
  for (const { name, isNeeded } of options.files) {
    try {
      load(name, set);
    } catch {
      if (isNeeded) fail(`${name}: not found`);
      binding('process').write(2, `${name} not found. Continuing without it.\n`);
    }
  }
}

// --disable-proto, in a world whose Object this is.
function disableProto(of) {
  const how = require('internal/boot/options').last('disable-proto');
  if (how === undefined) return;
  if (how === 'delete') {
    delete of.prototype.__proto__;
    return;
  }
  const refuse = () => {
    throw require('internal/errors/errors').withCode(Error, 'ERR_PROTO_ACCESS',
      'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw');
  };
  Object.defineProperty(of.prototype, '__proto__',
    { get: refuse, set: refuse, configurable: true, enumerable: false });
}

// Names that a program is not to find.
const OPTIONAL = {
  'experimental-fetch': ['fetch', 'FormData', 'Headers', 'Request', 'Response'],
  'experimental-global-customevent': ['CustomEvent'],
  'experimental-global-webcrypto': ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto'],
};

function removeNames(options) {
  for (const option of Object.keys(OPTIONAL)) {
    if (options.isOn(option) !== false) continue;
    for (const name of OPTIONAL[option]) delete globalThis[name];
  }
}

// Of the library behind crypto. It is loaded at once only where an option can't be kept otherwise.
function applyCrypto(options, fail) {
  const wrong = ['secure-heap', 'secure-heap-min'].filter((name) => {
    const value = Number(options.last(name) ?? 0);
    return value !== 0 && !Number.isInteger(Math.log2(value));
  });
  if (wrong.length > 0)
    fail(wrong.map((name) => `--${name} must be a power of 2`).join('\nphasor: '));
  if (!options.isOn('enable-fips') && !options.isOn('force-fips')) return;
  try {
    const native = require('internal/crypto/native');
    native.loadProvider('fips');
    native.setFips(true);
  } catch (error) {
    fail(`OpenSSL error when trying to enable FIPS:\n${error.message}`);
  }
}

function place() {
  const { isMainThread, threadId } = require('worker_threads');
  return `(node:${process.pid}${isMainThread ? '' : `, thread:${threadId}`})`;
}

function tell(words) {
  const { stack } = new Error();
  const frames = `${stack}`.split('\n').slice(3).join('\n');
  binding('process').write(2, `${place()} WARNING: ${words}\n${frames}\n`);
}

// --trace-exit and --trace-sync-io say where from.
function applyTraces(options) {
  if (options.isOn('trace-exit')) {
    const { reallyExit } = process;
    process.reallyExit = (code) => {
      tell(`Exited the environment with code ${code ?? 0}`);
      reallyExit(code);
    };
  }
  if (!options.isOn('trace-sync-io')) return;
  // From the first turn of the loop on.
  setImmediate(() => {
    for (const module of [require('fs'), require('child_process')]) {
      for (const name of Object.keys(module)) {
        const work = module[name];
        if (!name.endsWith('Sync') || typeof work !== 'function') continue;
        module[name] = { [name](...args) {
          tell(`Detected use of sync API\n    at ${name}`);
          return Reflect.apply(work, this, args);
        } }[name];
      }
    }
  });
}

// What the engine is asked to show.
function applyEngine(options) {
  const signal = options.last('heapsnapshot-signal');
  if (signal !== undefined) require('internal/v8/heap_snapshot').onSignal(signal);
  const near = options.last('heapsnapshot-near-heap-limit');
  if (near !== undefined) require('internal/v8/heap_snapshot').setNearLimit(Number(near));
}

// Mended by Node in a way that can be taken back.
const REVERTED = {
  'CVE-2023-46809': 'Marvin attack on PKCS#1 padding',
  'CVE-2024-27980': 'Unsafe Windows batch file execution',
};

function tellOfReverts(names) {
  for (const name of names) {
    if (!Object.hasOwn(REVERTED, name)) {
      binding('process').write(2,
        `${process.argv0}: Error: Attempt to revert an unknown CVE [${name}]\n`);
      binding('process').exit(12);
    }
    binding('process').write(1, `SECURITY WARNING: Reverting ${name}: ${REVERTED[name]}\n`);
  }
}

// Options that contradict each other.
function refusePairs(options, fail) {
  if (options.isOn('use-openssl-ca') && options.isOn('use-bundled-ca'))
    fail('either --use-openssl-ca or --use-bundled-ca can be used, not both');
  if (options.isOn('tls-min-v1.3') && options.isOn('tls-max-v1.2'))
    fail('either --tls-min-v1.3 or --tls-max-v1.2 can be used, not both');
}

function apply(options, fail) {
  refusePairs(options, fail);
  tellOfReverts(options.all('security-revert'));
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = options.last(name);
    if (value !== undefined && !allowed.includes(value)) {
      fail(WORDS[name] ?? `invalid value for --${name}`);
    }
  }
  if (options.isOn('expose-internals')) require('internal/builtins').expose();
  const categories = options.last('trace-event-categories');
  if (categories !== undefined || options.isOn('trace-events-enabled')) {
    require('internal/trace/events').start(categories ?? 'v8,node,node.async_hooks',
      options.last('trace-event-file-pattern'));
  }
  if (options.names().some((name) => PERMISSION.test(name)))
    require('internal/process/permission').enable(options);
  if (PROFILES.some((name) => options.isOn(name) !== undefined)) {
    require('internal/inspector/cpu_prof').fromOptions(options, fail);
  }
  if (options.names().some((name) => name.startsWith('report-')))
    require('internal/process/report').apply(options);
  if (options.isOn('enable-source-maps')) require('internal/errors/source_map').enable(true);
  if (options.isOn('experimental-test-coverage') && !options.isOn('test'))
    require('internal/test/coverage').start(false);
  removeNames(options);
  if (options.isOn('zero-fill-buffers')) require('buffer').fillAll();
  applyCrypto(options, fail);
  applyEngine(options);
  if (options.isOn('experimental-require-module') === false)
    process.features.require_module = false;
  if (options.isOn('disallow-code-generation-from-strings'))
    require('internal/vm/contexts').forbidStrings();
  disableProto(Object);
  applyTraces(options);
}

module.exports = { apply, disableProto, loadFiles };
