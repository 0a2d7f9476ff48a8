'use strict';
// Native addons: process.dlopen, which require() of a .node file calls.

const { withCode } = require('internal/errors/errors');

let native; // the plug-in, which the first addon loads

function disabled() {
  const options = require('internal/boot/options');
  return options.isOn('addons') === false || binding('permission').mayDo(3) === false;
}

function start() {
  native = binding('napi');
  const options = require('internal/boot/options');
  native.setup(
    (buffer) => require('internal/messages/transfer').markAsUntransferable(buffer),
    options.isOn('force-node-api-uncaught-exceptions-policy') === true);
}

function dlopen(module, filename, flags) {
  if (arguments.length < 2) {
    throw withCode(TypeError, 'ERR_MISSING_ARGS', 'process.dlopen needs at least 2 arguments');
  }
  if (disabled()) {
    throw withCode(Error, 'ERR_DLOPEN_DISABLED',
      'Cannot load native addon because loading addons is disabled.');
  }
  const holder = Object(module);
  if (holder.exports === undefined || holder.exports === null) {
    throw new TypeError('Cannot convert undefined or null to object');
  }
  if (native === undefined) start();
  const file = `${filename}`;
  native.load(holder, file, require('url').pathToFileURL(file).href,
    flags === undefined ? 1 : flags | 0);
}

module.exports = { dlopen, address: (value) => native?.address(value) };
