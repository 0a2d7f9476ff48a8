'use strict';
// What vm answers the engine's questions about its scripts and modules with: import(), import.meta,
// exports that JavaScript sets. Who is asked is found by a number at the end of their names.

const { withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');

const DEFAULT_LOADER = Symbol('vm_dynamic_import_main_context_default');

let last = 0;
const importers = new Map(); // number -> { callback, referrer, fillMeta, evaluate }

function checkCallback(callback) {
  if (callback !== undefined && callback !== DEFAULT_LOADER)
    validateFunction(callback, 'options.importModuleDynamically');
}

// A name for what the importer answers for. One that has no answers needs no place.
function named(file, importer) {
  const id = ++last;
  if (importer.callback ?? importer.fillMeta ?? importer.evaluate) importers.set(id, importer);
  return `${file}\x01${id}`;
}

function missing() {
  return withCode(TypeError, 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING',
    'A dynamic import callback was not specified.');
}

function missingFlag() {
  return withCode(TypeError, 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG',
    'A dynamic import callback was invoked without --experimental-vm-modules');
}

let warned = false;
function warnOfLoader() {
  if (warned) return;
  warned = true;
  process.emitWarning('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER is an experimental feature and might ' +
    'change at any time', 'ExperimentalWarning');
}

function find(name) {
  return importers.get(Number(name.slice(name.lastIndexOf('\x01') + 1)));
}

async function namespaceOf(given) {
  const { Module } = require('internal/vm/modules');
  const made = await given;
  if (require('util/types').isModuleNamespaceObject(made)) return made;
  if (made instanceof Module) return made.namespace;
  throw withCode(Error, 'ERR_VM_MODULE_NOT_MODULE',
    'Provided module is not an instance of Module');
}

// A promise of the namespace; undefined: the engine goes on in the main context. Global: that of
// the context, if it is another one.
function answer(specifier, parent, attributes, global) {
  const importer = parent.includes('\x01') ? find(parent)
    : global && require('internal/vm/contexts').ofGlobal(global)?.importer;
  const callback = importer?.callback;
  if (callback === undefined) throw missing();
  if (callback === DEFAULT_LOADER) {
    warnOfLoader();
    const from = parent === '<input>' ? 'evalmachine.<anonymous>' : parent;
    return global && binding('modules').importModule(specifier, from);
  }
  if (!require('internal/boot/options').isOn('experimental-vm-modules')) throw missingFlag();
  return namespaceOf(callback(specifier, importer.referrer, attributes ?? { __proto__: null }));
}

function fillMeta(meta, name) {
  const importer = find(name);
  importer?.fillMeta?.(meta, importer.referrer);
}

function evaluate(name) {
  find(name).evaluate();
  return [[], []];
}

module.exports = { DEFAULT_LOADER, checkCallback, named, answer, fillMeta, evaluate };
