'use strict';
// The thread of the loader hooks: chains of resolve and load, newest first, the defaults last.

const errors = require('internal/errors/errors');
const { validateFunction, validateObject } = require('internal/errors/validators');
const { invalidArgType, invalidArgValue, withCode } = errors;
const { formatOfAddress } = require('internal/esm/formats');
const formats = require('internal/esm/formats');
const { inspect } = require('internal/inspect/inspect');

let conditions;
const chains = {
  resolve: [{ hook: defaultResolve, url: 'node:internal/modules/esm/resolve' }],
  load: [{ hook: defaultLoad, url: 'node:internal/modules/esm/load' }],
};

async function defaultResolve(specifier, context) {
  const { defaultResolve: find } = require('internal/esm/esm');
  const parent = context.parentURL ?? `${require('internal/esm/resolve').toUrl(process.cwd())}/`;
  const url = find(specifier, parent, context.conditions);
  return { __proto__: null, url, format: formatOfAddress(url) ?? (url.startsWith('file:')
    ? null : undefined) };
}

async function defaultLoad(url, context) {
  const { format, source } = formats.load(url, context.importAttributes, context.format);
  if (source === null || format === 'builtin') {
    return { __proto__: null, format, responseURL: url, source: null };
  }
  return { __proto__: null, format, responseURL: url, source: Buffer.from(source) };
}

function typeOf(value) {
  if (value == null) return `${value}`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'object') {
    return value.constructor?.name ? `an instance of ${value.constructor.name}`
      : inspect(value, { depth: -1 });
  }
  let text = inspect(value, { colors: false });
  if (text.length > 28) text = `${text.slice(0, 25)}...`;
  return `type ${typeof value} (${text})`;
}

function badReturn(input, name, value) {
  return withCode(TypeError, 'ERR_INVALID_RETURN_VALUE',
    `Expected ${input} to be returned from the "${name}" function but got ${typeOf(value)}.`);
}

function badProperty(input, name, property, value) {
  return withCode(TypeError, 'ERR_INVALID_RETURN_PROPERTY_VALUE',
    `Expected ${input} to be returned for the "${property}" from the "${name}" hook but got ` +
    `${typeOf(value)}.`);
}

function isUrl(text) {
  return URL.canParse(text);
}

const CHECKS = {
  resolve(who, specifier) {
    if (typeof specifier !== 'string')
      throw invalidArgType(`${who} specifier`, 'string', specifier);
  },
  load(who, url) {
    if (typeof url !== 'string') throw invalidArgType(`${who} url`, 'string', url);
    if (!isUrl(url)) throw invalidArgValue(`${who} url`, url, 'should be a URL string');
  },
};

let isTold = false;

// The older name of importAttributes.
function withAssertions(object) {
  const tell = () => {
    if (isTold) return;
    isTold = true;
    process.emitWarning('Use `importAttributes` instead of `importAssertions`',
      'ExperimentalWarning');
  };
  return Object.defineProperty(object, 'importAssertions', {
    configurable: true,
    enumerable: false,
    get() {
      tell();
      return this.importAttributes;
    },
    set(value) {
      tell();
      this.importAttributes = value;
    },
  });
}

// The function that calls hook number `index` of the chain.
function nextOf(kind, index, meta) {
  const { hook, url } = chains[kind][index];
  const name = `next${kind[0].toUpperCase()}${kind.slice(1)}`;
  const next = index === 0 ? undefined : nextOf(kind, index - 1, meta);
  const call = async (first, context) => {
    if (meta.who !== undefined) CHECKS[kind](`${meta.who} hook's ${name}()`, first);
    if (meta.who !== undefined && context !== undefined && context !== null)
      validateObject(context, `${meta.who} hook's ${name}() context`);
    meta.who = `${url} '${kind}'`;
    meta.last = meta.who;
    if (index === 0) meta.isFinished = true;
    if (context) {
      Object.assign(meta.context, context);
      if (context !== meta.context && context.importAssertions !== undefined &&
          context.importAttributes === undefined)
        meta.context.importAssertions = context.importAssertions;
    }
    const output = await hook(first, meta.context, next);
    meta.who = `${url} '${kind}'`;
    if (output === null || typeof output !== 'object') {
      throw badReturn('an object', `${url} '${kind}' hook's ${name}()`, output);
    }
    if (output.shortCircuit === true) meta.isShort = true;
    return output;
  };
  return Object.defineProperty(async (...args) => call(...args), 'name',
    { value: name, configurable: true });
}

async function run(kind, first, context) {
  const index = chains[kind].length - 1;
  const meta = { context: withAssertions(context), isFinished: false, isShort: false };
  const result = await nextOf(kind, index, meta)(first, undefined);
  const who = `${chains[kind][index].url} '${kind}'`;
  if (!meta.isFinished && !meta.isShort) {
    throw withCode(Error, 'ERR_LOADER_CHAIN_INCOMPLETE', `"${meta.last}" did not call the next ` +
      'hook in its chain and did not explicitly signal a short circuit. If this is intentional, ' +
      "include `shortCircuit: true` in the hook's return.");
  }
  return [result, who];
}

async function resolve(specifier, parentURL, importAttributes) {
  const [result, who] = await run('resolve', specifier,
    { conditions: [...conditions], importAttributes, parentURL });
  const { format, url } = result;
  let attributes = result.importAttributes;
  if (attributes === undefined && result.importAssertions !== undefined)
    attributes = withAssertions({ importAttributes: result.importAssertions }).importAssertions;
  if (attributes !== undefined && (attributes === null || typeof attributes !== 'object'))
    throw badProperty('an object', who, 'importAttributes', attributes);
  if (format !== undefined && format !== null && typeof format !== 'string')
    throw badProperty('a string', who, 'format', format);
  if (typeof url !== 'string' || !isUrl(url)) throw badProperty('a URL string', who, 'url', url);
  return { url, format, importAttributes: attributes && { ...attributes } };
}

async function load(url, format, importAttributes) {
  const [result, who] = await run('load', url, { format, importAttributes });
  if (result.format === null || result.format === undefined) {
    const { toPath } = require('internal/esm/resolve');
    if (url.startsWith('file:') && result.format === undefined)
      throw formats.unknownExtension(toPath(url));
  }
  if (typeof result.format !== 'string')
    throw badProperty('a string', who, 'format', result.format);
  const { source } = result;
  if (source !== null && source !== undefined && typeof source !== 'string' &&
      !ArrayBuffer.isView(source) && !(source instanceof ArrayBuffer) &&
      !(source instanceof SharedArrayBuffer)) {
    throw badProperty('a string, an ArrayBuffer, or a TypedArray', who, 'source', source);
  }
  return { format: result.format, source };
}

async function register(specifier, parentURL, data) {
  const { url } = await resolve(specifier, parentURL, {});
  const exported = await binding('modules').importModule(url, url);
  for (const kind of ['resolve', 'load']) {
    const hook = exported[kind];
    if (hook === undefined || hook === null) continue;
    validateFunction(hook, `${kind}`);
    chains[kind].push({ hook, url });
  }
  const { initialize } = exported;
  if (typeof initialize === 'function') await initialize(data);
  else if (exported.globalPreload) return preload(exported.globalPreload, url);
  return undefined;
}

// The older way to run code in the program's thread: {code, port}, the port to this thread.
function preload(globalPreload, url) {
  process.emitWarning('`globalPreload` is planned for removal in favor of `initialize`. ' +
    '`globalPreload` is an experimental feature and might change at any time',
  'ExperimentalWarning');
  const { port1, port2 } = new (require('internal/messages/port').MessageChannel)();
  const code = Reflect.apply(globalPreload, undefined, [{ port: port1 }]);
  if (code === undefined) return undefined;
  if (typeof code !== 'string') throw badReturn('a string', `${url} globalPreload`, code);
  return { code, port: port2 };
}

const METHODS = { resolve, load, register };

function flatten(error) {
  if (!binding('util').isError(error)) return { value: error };
  const more = {};
  for (const key of Object.keys(error)) {
    if (['string', 'number', 'boolean'].includes(typeof error[key])) more[key] = error[key];
  }
  return { isError: true, type: error.constructor?.name, name: error.name, message: error.message,
    stack: error.stack, more };
}

async function answer(control, tell, { method, args }) {
  control.unref(); // a hook that waits for nothing ends the thread
  let message;
  try {
    message = { result: await METHODS[method](...args) };
  } catch (error) {
    message = { error: flatten(error) };
  }
  control.ref();
  try {
    control.postMessage(message, message.result?.port ? [message.result.port] : []);
  } catch (error) {
    control.postMessage({ error: flatten(error) });
  }
  tell(1);
}

function start(control, message) {
  const { state } = message;
  conditions = message.conditions;
  const tell = (how, code = 0) => {
    Atomics.store(state, 1, code);
    Atomics.store(state, 0, how);
    Atomics.notify(state, 0);
  };
  process.on('exit', (code) => tell(2, code || 13));
  require('internal/process/fatal_error').printFatal = (error) => {
    binding('process').write(2, `${require('internal/process/fatal_error').describe(error)}\n`);
    tell(2, 1);
  };
  const given = require('internal/boot/main').parse(message.execArgv);
  if (given.require.length > 0) require('internal/boot/first').preload(given.require);
  let queue = Promise.resolve();
  control.on('message', (request) => {
    queue = queue.then(() => answer(control, tell, request));
  });
  tell(1);
}

module.exports = { start };
