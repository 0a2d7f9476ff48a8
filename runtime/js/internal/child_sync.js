'use strict';
// A child that is waited for.

const native = binding('child');
const { signals } = require('internal/constants');
const { stdioList } = require('internal/child_stdio');
const { systemError } = require('internal/errors');

const signalNames = {};
for (const [name, number] of Object.entries(signals)) signalNames[number] ??= name;

function inputBytes({ input, encoding }) {
  if (typeof input !== 'string') return input;
  return Buffer.from(input, encoding === 'buffer' ? 'utf8' : encoding);
}

function spawnSync(options) {
  const { file, args, envPairs, cwd, encoding, timeout, maxBuffer, uid, gid } = options;
  const result = native.spawnSync({ file, args, env: envPairs, cwd,
    stdio: stdioList(options.stdio, true), input: inputBytes(options), timeout, maxBuffer,
    killSignal: options.killSignal || signals.SIGTERM, uid, gid });
  const decode = (bytes) => (bytes !== null && encoding && encoding !== 'buffer'
    ? bytes.toString(encoding) : bytes);
  const out = {
    status: result.error && result.pid === 0 ? null : result.signal ? null : result.code,
    signal: result.signal ? signalNames[result.signal] : null,
    output: null, pid: result.pid, stdout: null, stderr: null,
  };
  if (result.pid !== 0) {
    out.stdout = decode(result.stdout);
    out.stderr = decode(result.stderr);
    out.output = [null, out.stdout, out.stderr];
  }
  if (result.error) {
    out.error = systemError(result.error, `spawnSync ${file}`);
    out.error.path = file;
    out.error.spawnargs = args.slice(1);
  }
  return out;
}

module.exports = { spawnSync, signalNames };
