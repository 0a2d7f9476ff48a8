'use strict';
// The options of the command line and of NODE_OPTIONS: one table of names, and what was given.

// Switches; each has a "--no-" form. Those before the bar may stand in NODE_OPTIONS.
const SWITCHES = `deprecation warnings pending-deprecation throw-deprecation trace-deprecation
  trace-warnings trace-events-enabled
  trace-uncaught trace-exit trace-sigint trace-sync-io trace-promises trace-tls
  trace-atomics-wait preserve-symlinks preserve-symlinks-main enable-source-maps addons
  global-search-paths experimental-fetch experimental-global-customevent
  experimental-global-webcrypto experimental-vm-modules experimental-repl-await
  experimental-require-module experimental-detect-module experimental-import-meta-resolve
  experimental-print-required-tla experimental-websocket experimental-eventsource
  experimental-wasm-modules experimental-shadow-realm experimental-permission allow-addons
  allow-child-process allow-wasi allow-worker experimental-network-imports
  experimental-network-inspection experimental-test-coverage experimental-test-module-mocks
  insecure-http-parser network-family-autoselection enable-network-family-autoselection
  extra-info-on-fatal-exception force-async-hooks-checks force-context-aware frozen-intrinsics
  verify-base-objects zero-fill-buffers node-snapshot test-only watch watch-preserve-output
  report-on-signal report-on-fatalerror report-uncaught-exception report-compact
  report-exclude-network debug-arraybuffer-allocations track-heap-objects
  force-node-api-uncaught-exceptions-policy tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3
  tls-max-v1.2 tls-max-v1.3 use-bundled-ca use-openssl-ca openssl-legacy-provider
  openssl-shared-config enable-fips force-fips heap-prof node-memory-debug
  experimental-modules experimental-json-modules experimental-top-level-await experimental-worker
  experimental-report experimental-abortcontroller experimental-wasi-unstable-preview1
  napi-modules abort-on-uncaught-exception expose-gc jitless huge-max-old-generation-size
  interpreted-frames-native-stack disallow-code-generation-from-strings perf-basic-prof
  perf-basic-prof-only-functions perf-prof perf-prof-unwinding-info inspect inspect-brk
  inspect-wait | inspect-brk-node test test-force-exit
  check print interactive help version expose-internals cpu-prof prof completion-bash v8-options
  build-snapshot test-udp-no-try-send`;

const VALUES = `require import conditions disable-warning redirect-warnings unhandled-rejections
  title input-type experimental-default-type experimental-loader max-http-header-size
  network-family-autoselection-attempt-timeout dns-result-order diagnostic-dir disable-proto
  heapsnapshot-near-heap-limit heapsnapshot-signal icu-data-dir report-dir report-filename
  report-signal secure-heap secure-heap-min snapshot-blob test-reporter
  test-reporter-destination test-shard tls-cipher-list tls-keylog trace-event-categories
  trace-event-file-pattern trace-require-module use-largepages v8-pool-size watch-path
  openssl-config max-old-space-size max-semi-space-size stack-trace-limit heap-prof-dir
  heap-prof-interval heap-prof-name experimental-specifier-resolution
  es-module-specifier-resolution allow-fs-read allow-fs-write inspect-port inspect-publish-uid
  | eval env-file env-file-if-exists test-name-pattern test-skip-pattern test-concurrency
  test-timeout cpu-prof-dir cpu-prof-interval cpu-prof-name security-revert stack-size gc-interval
  build-snapshot-config`;

// V8's own switches that people pass: this engine has nothing to switch, and they do no harm.
const ENGINE = new RegExp('^--(no-|no)?(harmony|stress|predictable|concurrent|allow-natives|opt' +
  '|turbo|trace-gc|trace-opt|trace-deopt|use-strict|single-threaded|lazy|flush-bytecode' +
  '|sparkplug|maglev|always-|random-|expose-externalize|gc-|incremental|heap-|initial-|min-|max-)');

const ALIASES = {
  '-e': '--eval', '-p': '--print', '-pe': '--print', '-c': '--check', '-r': '--require',
  '-i': '--interactive', '-h': '--help', '-v': '--version', '-C': '--conditions',
  '--loader': '--experimental-loader', '--report-directory': '--report-dir',
  '--debug-port': '--inspect-port',
  '--es-module-specifier-resolution': '--experimental-specifier-resolution',
};

// They promise what is not there: refusing is the only honest answer.
const REFUSED = [
  [/^--(experimental-policy|policy-integrity)/, 'nothing would be held back'],
  [/^--(build-snapshot(-config)?|snapshot-blob)$/, 'the engine cannot write its heap down'],
  [/^--experimental-shadow-realm$/, 'there is no ShadowRealm'],
];

function words(text) {
  const [allowed, others] = text.split('|').map((part) => part.trim().split(/\s+/));
  return { allowed: new Set(allowed), all: new Set([...allowed, ...(others ?? [])]) };
}

const switches = words(SWITCHES);
const values = words(VALUES);
const given = { __proto__: null }; // no Map: programs may replace its methods
const files = []; // of --env-file and --env-file-if-exists, in their order

// The option's plain name, whether it takes a value, and whether it was negated.
function lookUp(name) {
  let long = ALIASES[name] ?? name;
  if (!long.startsWith('--')) return undefined;
  long = `--${long.slice(2).replaceAll('_', '-')}`;
  if (long !== ALIASES[name] && ALIASES[long]) long = ALIASES[long];
  const plain = long.slice(2);
  if (values.all.has(plain)) return { key: plain, takesValue: true };
  if (switches.all.has(plain)) return { key: plain, on: true };
  if (plain.startsWith('no-') && switches.all.has(plain.slice(3))) {
    return { key: plain.slice(3), on: false };
  }
  if (plain.startsWith('no-') && values.all.has(plain.slice(3)))
    return { key: plain.slice(3), isWrong: true };
  if (ENGINE.test(long)) return { key: plain, on: true };
  return undefined;
}

function keep(key, value) {
  if (key.startsWith('env-file')) files.push({ name: value, isNeeded: key === 'env-file' });
  const before = given[key];
  if (typeof value === 'string' && Array.isArray(before)) before.push(value);
  else given[key] = typeof value === 'string' ? [value] : value;
}

// A value that begins with a dash has a backslash before it.
const unescaped = (value) => (value.startsWith('\\-') ? value.slice(1) : value);

// Reads options up to the first word that is none. Gives the words that are left; fails with words.
// A trial changes nothing; what comes late changes nothing that was given before.
function parse(args, { fail, onOption = () => {}, fromEnvironment = false, isTrial = false,
                       isLate = false }) {
  const before = isLate ? new Set(Object.keys(given)) : undefined;
  const set = isTrial ? () => {}
    : (key, value) => { if (!before?.has(key)) keep(key, value); };
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') {
      if (fromEnvironment) fail('-- is not allowed in NODE_OPTIONS');
      i++;
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) break;
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const name = equals === -1 ? arg : arg.slice(0, equals);
    const found = lookUp(name);
    const refused = REFUSED.find(([names]) => names.test(name));
    if (refused !== undefined) fail(`${name} is not supported: ${refused[1]}`);
    if (/^--debug(-brk)?$/.test(name)) {
      fail(args.includes('--inspect') && name === '--debug-brk'
        ? '[DEP0062]: `node --inspect --debug-brk` is deprecated. Please use ' +
          '`node --inspect-brk` instead.'
        : '[DEP0062]: `node --debug` and `node --debug-brk` are invalid. Please use ' +
          '`node --inspect` and `node --inspect-brk` instead.');
    }
    if (found === undefined) fail(`bad option: ${arg}`);
    if (found.isWrong)
      fail(`${arg} is an invalid negation because it is not a boolean option`);
    if (fromEnvironment && !isAllowedInEnvironment(found.key)) {
      fail(`${name} is not allowed in NODE_OPTIONS`);
    }
    onOption(arg);
    if (!found.takesValue) {
      set(found.key, found.on);
      // [host:]port may follow, without a blank.
      if (found.key.startsWith('inspect') && equals !== -1)
        set(`${found.key}-at`, arg.slice(equals + 1));
      if (found.key !== 'print') continue;
      const next = args[i + 1];
      if (equals !== -1) set('eval', arg.slice(equals + 1));
      else if (next !== undefined && (name === '-pe' || !next.startsWith('-'))) {
        set('eval', unescaped(args[++i]));
        onOption(args[i]);
      }
      continue;
    }
    if (equals !== -1) {
      if (equals === arg.length - 1 && !found.key.startsWith('env-file'))
        fail(`${arg} requires an argument`);
      set(found.key, arg.slice(equals + 1));
    } else if (i + 1 < args.length) {
      set(found.key, unescaped(args[++i]));
      onOption(args[i]);
    } else {
      fail(`${arg} requires an argument`);
    }
  }
  return args.slice(i);
}

function isAllowedInEnvironment(key) {
  return switches.allowed.has(key) || values.allowed.has(key) || !switches.all.has(key) &&
    !values.all.has(key);
}

// A switch: true, false, or undefined if it was not given.
function isOn(key) { return given[key]; }

// All values of an option, and the last of them.
function all(key) { return given[key] ?? []; }
function last(key) { return all(key).at(-1); }

// NODE_OPTIONS: words divided by blanks, double quotes around those that hold some.
function splitWords(text) {
  const found = [];
  let word = '';
  let isWord = false;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\' && isQuoted && i + 1 < text.length) {
      word += text[++i];
    } else if (c === '"') {
      isQuoted = !isQuoted;
      isWord = true;
    } else if (c === ' ' && !isQuoted) {
      if (isWord) found.push(word);
      word = '';
      isWord = false;
    } else {
      word += c;
      isWord = true;
    }
  }
  if (isWord) found.push(word);
  return found;
}

// Whether the first file goes to the loader of ES modules whatever it is: hooks, or the type.
function takesAllImports() {
  if (last('experimental-default-type') === 'module') return 'type';
  return all('experimental-loader').length > 0;
}

function allowedFlags() {
  const names = [];
  for (const key of switches.allowed) names.push(`--${key}`, `--no-${key}`);
  for (const key of values.allowed) names.push(`--${key}`);
  return [...names, '-r', '-C'];
}

const names = () => Object.keys(given);

const keyOf = (word) => lookUp(word.split('=', 1)[0])?.key;

module.exports = {
  files, parse, keyOf, names, isOn, all, last, splitWords, allowedFlags,
  takesAllImports,
  isSwitch: (key) => switches.all.has(key),
  isKnown: (key) => switches.all.has(key) || values.all.has(key),
};
