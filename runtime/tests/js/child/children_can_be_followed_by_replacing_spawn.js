'use strict';
// Coverage tools and tracers replace ChildProcess.prototype.spawn and the binding of spawnSync.
const childProcess = require('child_process');
const Module = require('module');

const { prototype } = childProcess.ChildProcess;
const { spawn } = prototype;
const sync = process.binding('spawn_sync');
const { spawn: spawnSync } = sync;

function note(options) {
  const { file, args, cwd, detached, envPairs, windowsHide, windowsVerbatimArguments } = options;
  console.log(file, args, cwd ?? 'here', detached, envPairs, windowsHide, windowsVerbatimArguments);
  options.envPairs = [...envPairs, 'ADDED=by the tracer'];
}
prototype.spawn = function(options) {
  note(options);
  return spawn.call(this, options);
};
sync.spawn = function(options) {
  note(options);
  console.log(options.stdio);
  const result = spawnSync.call(this, options);
  console.log(Object.keys(result), result.status, result.signal, result.error, result.output);
  return result;
};

const env = { PATH: '/usr/bin:/bin' };
const words = ['-c', 'echo $ADDED'];
const show = (result) => console.log(result.output, result.stdout, result.stderr);
show(childProcess.spawnSync('/bin/sh', words, { env, encoding: 'utf8' }));
show(childProcess.spawnSync('/bin/sh', ['-c', 'cat; echo three >&3; echo four >&4'],
  { env, input: 'in ', stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'] }));
console.log(childProcess.execFileSync('/bin/sh', words, { env, encoding: 'utf8', cwd: '/' }));
childProcess.spawnSync('/no/such/program', { env });
childProcess.spawnSync('/bin/sh', ['-c', 'kill -9 $$'], { env });

childProcess.execFile('/bin/sh', words, { env }, (error, text) => {
  console.log(error, text);
  prototype.spawn = spawn;
  sync.spawn = spawnSync;
  console.log(process.binding('spawn_sync') === sync);
  try {
    process.binding('nothing');
  } catch (failed) {
    console.log(failed.message);
  }
  console.log(process.binding('uv').errname(process.binding('uv').UV_ENOENT));
  console.log(process.binding('constants').os.signals.SIGKILL);
  // A class may extend Module and set all of its fields.
  class Own extends Module {}
  for (const [key, value] of Object.entries(Module)) Own[key] = value;
  console.log(Own.SourceMap === Module.SourceMap, Array.isArray(Own.globalPaths));
});
