'use strict';
// A child that is waited for.

const native = binding('child');
const { signals } = require('internal/system/constants');
const { stdioList } = require('internal/child/stdio');
const { systemError } = require('internal/errors/errors');

const signalNames = {};
for (const [name, number] of Object.entries(signals)) signalNames[number] ??= name;

function inputBytes({ input, encoding }) {
  if (typeof input !== 'string') return input;
  return Buffer.from(input, encoding === 'buffer' ? 'utf8' : encoding);
}

function describe(one, i) {
  if (one === 'pipe') return { type: 'pipe', readable: i === 0, writable: i !== 0 };
  return typeof one === 'number' ? { type: 'fd', fd: one } : { type: 'ignore' };
}

// Programs that follow their children (coverage, tracing) replace its function, so it is called as
// a property and has the shape of Node's.
const spawnSyncBinding = {
  spawn(options) {
    const { file, args, envPairs, cwd, stdio, timeout, maxBuffer, uid, gid, killSignal } = options;
    const { error, pid, code, signal, output } = native.spawnSync({ file, args, env: envPairs, cwd,
      stdio: stdio.map(({ type, fd }) => (type === 'pipe' ? type : fd ?? null)),
      input: stdio[0]?.input, timeout, maxBuffer, killSignal: killSignal || signals.SIGTERM,
      uid, gid });
    const failed = error !== 0 && pid === 0;
    return { ...error !== 0 && { error }, status: failed || signal !== 0 ? null : code,
      signal: signal === 0 ? null : signalNames[signal], output: failed ? null : output, pid };
  },
};

function spawnSync(options) {
  const { file, args, input, encoding } = options;
  options.stdio = stdioList(options.stdio, true).map(describe);
  if (input !== undefined && input !== null) options.stdio[0].input = inputBytes(options);
  const result = spawnSyncBinding.spawn(options);
  if (result.output && encoding && encoding !== 'buffer') {
    result.output = result.output.map((bytes) => bytes && bytes.toString(encoding));
  }
  result.stdout = result.output && result.output[1];
  result.stderr = result.output && result.output[2];
  if (result.error) {
    result.error = systemError(result.error, `spawnSync ${file}`);
    result.error.path = file;
    result.error.spawnargs = args.slice(1);
  }
  return result;
}

module.exports = { spawnSync, spawnSyncBinding, signalNames };
