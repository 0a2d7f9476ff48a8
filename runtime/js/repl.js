'use strict';
const { REPLServer } = require('internal/repl/server');
const { Recoverable, STRICT, SLOPPY, isValidSyntax } = require('internal/repl/evaluate');
const { libraries } = require('internal/repl/context');
const { writer } = require('internal/repl/writer');
const { deprecate } = require('util');

function start(prompt, source, eval_, useGlobal, ignoreUndefined, replMode) {
  return new REPLServer(prompt, source, eval_, useGlobal, ignoreUndefined, replMode);
}

module.exports = {
  start, writer, REPLServer, REPL_MODE_SLOPPY: SLOPPY, REPL_MODE_STRICT: STRICT, Recoverable,
  isValidSyntax, builtinModules: libraries,
};
const OLD = 'repl._builtinLibs is deprecated. Check module.builtinModules instead';
Object.defineProperty(module.exports, '_builtinLibs', {
  configurable: true,
  enumerable: false,
  get: deprecate(() => libraries, OLD, 'DEP0142'),
  set: deprecate((value) => { module.exports.builtinModules = value; }, OLD, 'DEP0142'),
});
