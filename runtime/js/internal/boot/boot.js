'use strict';
// The first JavaScript that runs: built-in modules, process, globals, then the user's program.

const engine = exports;
const { setHook } = engine;

const cache = { __proto__: null };
const bindings = { __proto__: null };

function getBinding(name) {
  return bindings[name] ??= engine.binding(name);
}

function requireBuiltin(id) {
  const cached = cache[id];
  if (cached !== undefined) return cached.exports;
  const start = engine.builtin(id);
  if (start === undefined) throw new Error(`No such built-in module: ${id}`);
  const own = { exports: {}, id };
  cache[id] = own;
  try {
    start(own.exports, requireBuiltin, own, processObject, getBinding);
  } catch (error) {
    delete cache[id];
    throw error;
  }
  return own.exports;
}

const processObject = {};
const builtins = {
  require: (id) => builtins.exposed?.(id)?.() ?? requireBuiltin(id),
  has: (id) => cache[id] !== undefined || engine.builtin(id) !== undefined,
  // What a program finds under a name that is not built in for it: a function that gives it.
  exposed: undefined,
  // --expose-internals: our own internal modules, by their names.
  expose() {
    builtins.exposed = (id) => (id.startsWith('internal/') && builtins.has(id)
      ? () => requireBuiltin(id) : undefined);
  },
  requireOwn: requireBuiltin,
  binding: getBinding,
  setHook,
  get ids() {
    const ids = engine.builtinIds();
    Object.defineProperty(builtins, 'ids', { value: ids });
    return ids;
  },
};
cache['internal/builtins'] = { exports: builtins };

setHook('invalidArg', (name, expected, value) => {
  throw requireBuiltin('internal/errors/errors').invalidArgType(name, expected, value);
});
setHook('buffer', () => { requireBuiltin('buffer'); });
// The first module that is imported brings the hooks for it and all that follow.
for (const name of ['resolve', 'load', 'evaluate', 'importMeta', 'linkError', 'importFailed']) {
  setHook(name, (...args) => requireBuiltin('internal/esm/esm').hooks[name](...args));
}
setHook('importOfVm', (...args) => requireBuiltin('internal/vm/imports').answer(...args));
setHook('debug', () => requireBuiltin('internal/inspector/server').openBySignal());
setHook('warnTimeout', (delay) => {
  processObject.emitWarning(
    `${delay} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`,
    'TimeoutOverflowWarning');
});

requireBuiltin('internal/process/process').setup(builtins);
requireBuiltin('internal/boot/globals').setup();
if (engine.isPrepared) requireBuiltin('internal/boot/prepared').prepare(builtins);
else requireBuiltin('internal/boot/main').start(builtins);
