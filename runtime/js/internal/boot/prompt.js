'use strict';
// The prompt of the command: its settings come from the environment.

function optionsOf(env, options) {
  const { STRICT, SLOPPY } = require('internal/repl/evaluate');
  const { STANDALONE } = require('internal/repl/server');
  const found = {
    [STANDALONE]: true, ignoreUndefined: false, useGlobal: true, breakEvalOnSigint: true,
    ...options,
  };
  if (Number.parseInt(env.NODE_NO_READLINE, 10)) found.terminal = false;
  const mode = `${env.NODE_REPL_MODE ?? ''}`.toLowerCase().trim();
  if (mode === 'strict') found.replMode = STRICT;
  else if (mode === 'sloppy') found.replMode = SLOPPY;
  const size = Number(env.NODE_REPL_HISTORY_SIZE);
  found.historySize = !Number.isNaN(size) && size > 0 ? size : 1000;
  return found;
}

function createInternalRepl(env, options, done) {
  if (typeof options === 'function') {
    done = options;
    options = undefined;
  }
  const repl = require('repl');
  const server = repl.start(optionsOf(env, options));
  Object.defineProperty(repl, 'repl', { value: server, writable: true, configurable: true,
    enumerable: true });
  server.setupHistory(server.terminal ? env.NODE_REPL_HISTORY : '', done);
}

function start() {
  if (require('internal/boot/options').last('input-type') !== undefined) {
    binding('process').write(2, 'Cannot specify --input-type for REPL\n');
    process.exit(9);
  }
  process.stdout.write(`Welcome to Phasor (${process.version}).\n` +
    'Type ".help" for more information.\n');
  createInternalRepl(process.env, (error, server) => {
    if (error) throw error;
    server.on('exit', () => {
      process.exit();
    });
  });
}

module.exports = { start, createInternalRepl };
