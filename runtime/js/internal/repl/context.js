'use strict';
// The names that scripts at the prompt see.

const { builtinModules } = require('module');

const libraries = builtinModules.filter((name) => !name.startsWith('_'));

// Built-in modules are there by their names, and loaded when one is used.
function addLibraries(object) {
  for (const name of libraries) {
    if (name.includes('/') || Object.hasOwn(object, name)) continue;
    const put = (value) => Object.defineProperty(object, name,
      { value, writable: true, configurable: true, enumerable: true });
    Object.defineProperty(object, name, {
      configurable: true,
      enumerable: false,
      get() {
        const library = require('internal/builtins').require(name);
        Object.defineProperty(object, name,
          { value: library, writable: true, configurable: true, enumerable: false });
        return library;
      },
      set: put,
    });
  }
}

function ownContext(output) {
  const vm = require('vm');
  const context = vm.createContext();
  const builtin = new Set(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context));
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (builtin.has(name)) continue;
    Object.defineProperty(context, name, {
      __proto__: null, ...Object.getOwnPropertyDescriptor(globalThis, name), configurable: true,
    });
  }
  context.global = context;
  const { Console } = require('console');
  Object.defineProperty(context, 'console', {
    configurable: true, writable: true, value: new Console(output),
  });
  return context;
}

function moduleOf() {
  const Module = require('module');
  const module = new Module('<repl>');
  const { homeFolder } = require('internal/boot/main');
  module.paths = [...Module._nodeModulePaths(`${homeFolder()}/repl`), ...Module.globalPaths ?? []];
  return module;
}

function createContext(server) {
  const context = server.useGlobal ? globalThis : ownContext(server.output);
  const module = moduleOf();
  const require_ = require('module')._makeRequire(module);
  for (const [name, value] of [['module', module], ['require', require_]]) {
    Object.defineProperty(context, name, { configurable: true, writable: true, value });
  }
  addLibraries(context);
  return context;
}

module.exports = { createContext, libraries };
