'use strict';
// The permission model: what the command line grants, and process.permission. What is held back is
// held back in C (runtime/bindings/permission.c), where nothing of a program reaches.

const native = binding('permission');
const { invalidArgType, withCode } = require('internal/errors/errors');

const FLAGS = ['allow-child-process', 'allow-worker', 'allow-wasi', 'allow-addons'];
const KINDS = { __proto__: null, child: 0, worker: 1, wasi: 2, addon: 3, inspector: 4 };
const FILES = { __proto__: null, 'fs.read': 1, 'fs.write': 2, 'fs': 3 };

function has(scope, reference) {
  if (typeof scope !== 'string') throw invalidArgType('scope', 'string', scope);
  const isGiven = reference !== undefined && reference !== null;
  if (isGiven && typeof reference !== 'string' && !ArrayBuffer.isView(reference))
    throw invalidArgType('reference', 'string', reference);
  if (FILES[scope] !== undefined)
    return native.mayUse(isGiven && reference.length > 0 ? reference : undefined, FILES[scope]);
  return KINDS[scope] !== undefined && native.mayDo(KINDS[scope]);
}

function expose() {
  Object.defineProperty(process, 'permission',
    { value: { has }, enumerable: true, writable: false, configurable: false });
}

function warn(options, flags) {
  process.emitWarning('Permission is an experimental feature and might change at any time',
    'ExperimentalWarning');
  for (const flag of flags) {
    process.emitWarning(`The flag --${flag} must be used with extreme caution. ` +
      'It could invalidate the permission model.', 'SecurityWarning');
  }
  for (const name of ['allow-fs-read', 'allow-fs-write']) {
    if (options.all(name).some((one) => one.includes(','))) {
      process.emitWarning(`The --${name} CLI flag has changed. Passing a comma-separated list of ` +
        'paths is no longer valid. Documentation can be found at ' +
        'https://nodejs.org/api/permissions.html#file-system-permissions');
    }
  }
}

function enable(options) {
  if (options.isOn('experimental-permission') !== true) {
    throw withCode(TypeError, 'ERR_MISSING_OPTION', '--experimental-permission is required');
  }
  if (native.isOn()) return; // a worker has what its process has
  const flags = FLAGS.map((name) => options.isOn(name) === true);
  native.enable(options.all('allow-fs-read'), options.all('allow-fs-write'), ...flags);
  expose();
  warn(options, ['allow-addons', ...FLAGS.slice(0, -1)].filter((name) => options.isOn(name)));
}

function denied(message) {
  return Object.assign(withCode(Error, 'ERR_ACCESS_DENIED', message),
    { permission: '', resource: '' });
}

function checkBinding() {
  if (native.isOn()) throw denied('process.binding');
}

module.exports = { enable, expose, checkBinding, ...KINDS };
