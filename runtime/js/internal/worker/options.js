'use strict';
// What the constructor of a worker checks, and what it makes of its arguments.

const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateArray, validateObject } = require('internal/errors/validators');

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
const LIMITS = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb',
  'stackSizeMb'];
// Options of the whole process.
const PROCESS_WIDE = new Set(['title', 'redirect-warnings', 'diagnostic-dir', 'icu-data-dir',
  'openssl-config', 'tls-cipher-list', 'use-bundled-ca', 'use-openssl-ca', 'enable-fips',
  'force-fips', 'secure-heap', 'secure-heap-min', 'v8-pool-size', 'zero-fill-buffers',
  'trace-event-categories', 'trace-event-file-pattern', 'disable-proto', 'help', 'version',
  'max-old-space-size', 'max-semi-space-size', 'prof', 'perf-prof', 'perf-basic-prof',
  'expose-gc', 'stack-trace-limit', 'stack-size', 'jitless', 'abort-on-uncaught-exception']);
// And those that are the engine's alone.
const isEngines = (options, key) => key !== undefined && !options.isKnown(key);

function fileOf(given, options) {
  if (options.eval) {
    if (typeof given === 'string') return given;
    throw invalidArgValue('options.eval', options.eval,
      "must be false when 'filename' is not a string");
  }
  if (given !== null && typeof given === 'object' && given.href && given.protocol) {
    return given.protocol === 'data:' ? given.href : require('url').fileURLToPath(given);
  }
  if (typeof given !== 'string') throw invalidArgType('filename', ['string', 'URL'], given);
  if (/^(\/|\.\.?\/)/.test(given)) return given;
  const scheme = given.startsWith('file://') ? 'file://' : given.startsWith('data:text/javascript')
    ? 'data:' : undefined;
  throw withCode(TypeError, 'ERR_WORKER_PATH',
    'The worker script or module filename must be an absolute path or a relative path starting ' +
    `with './' or '../'.${scheme ? ` Wrap ${scheme} URLs with \`new URL\`.` : ''} ` +
    `Received "${given}"`);
}

function environmentOf({ env }) {
  if (env === SHARE_ENV) return undefined;
  if (env === undefined || env === null) return { ...process.env };
  if (typeof env !== 'object') {
    throw invalidArgType('options.env',
      ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
  }
  const out = {};
  for (const name of Object.keys(env)) out[name] = `${env[name]}`;
  return out;
}

function invalidOptions(names, where = 'execArgv flags') {
  return withCode(Error, 'ERR_WORKER_INVALID_EXEC_ARGV',
    `Initiated Worker with invalid ${where}: ${names.join(', ')}`);
}

function checkOptions({ execArgv, env }) {
  const options = require('internal/boot/options');
  if (execArgv !== undefined && execArgv !== null) {
    validateArray(execArgv, 'options.execArgv');
    const wrong = [];
    options.parse(execArgv.map(String), {
      fail(text) { throw invalidOptions([text.replace(/^bad option: /, '')]); },
      onOption(word) {
        const key = options.keyOf(word);
        if (PROCESS_WIDE.has(key) || isEngines(options, key)) wrong.push(word);
      },
      isTrial: true,
    });
    if (wrong.length > 0) throw invalidOptions(wrong);
  }
  const words = typeof env === 'object' && env !== null ? env.NODE_OPTIONS : undefined;
  if (words === undefined || words === process.env.NODE_OPTIONS) return;
  options.parse(options.splitWords(String(words)), {
    fail(text) {
      const name = text.replace(/^bad option: /, '').split(' ')[0];
      throw invalidOptions([`${name} is not allowed in NODE_OPTIONS`], 'NODE_OPTIONS env variable');
    },
    fromEnvironment: true,
    isTrial: true,
  });
}

function limitsOf({ resourceLimits }) {
  if (resourceLimits === undefined || resourceLimits === null) return undefined;
  validateObject(resourceLimits, 'options.resourceLimits');
  const out = {};
  for (const name of LIMITS) {
    if (typeof resourceLimits[name] === 'number') out[name] = resourceLimits[name];
  }
  return out;
}

// Nothing is asked for that a built-in module could look at when it is loaded.
function isPlain({ env, execArgv, resourceLimits }) {
  return (env ?? execArgv ?? resourceLimits) === undefined && process.execArgv.length === 0;
}

// What the worker's thread reads before it starts.
function settingsOf(given, options) {
  if (options.argv !== undefined && options.argv !== null) {
    validateArray(options.argv, 'options.argv');
  }
  const file = fileOf(given, options);
  const env = environmentOf(options);
  checkOptions(options);
  return {
    file, env,
    eval: Boolean(options.eval),
    argv: (options.argv ?? []).map(String),
    execArgv: options.execArgv ? options.execArgv.map(String) : [...process.execArgv],
    name: options.name === undefined ? '' : `${options.name}`,
    hasStdin: Boolean(options.stdin),
    resourceLimits: limitsOf(options),
    keepsFiles: options.trackUnmanagedFds === false,
    hasGc: globalThis.gc === binding('process').gc,
  };
}

module.exports = { settingsOf, isPlain, SHARE_ENV };
