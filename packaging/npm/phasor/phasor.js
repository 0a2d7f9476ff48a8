#!/usr/bin/env node
'use strict';
// Starts the phasor command that the package of this platform holds.

const { spawn } = require('child_process');
const os = require('os');
const path = require('path');

const platform = `@phasor/${process.platform}-${process.arch}`;

function fail(message) {
  process.stderr.write(`phasor: ${message}\n`);
  process.exit(1);
}

function findCommand() {
  try {
    return path.join(path.dirname(require.resolve(`${platform}/package.json`)), 'bin', 'phasor');
  } catch {
    return fail(`the package ${platform} is not installed. It is an optional dependency of ` +
      'phasor: npm leaves it out with --omit=optional, and there is none for some platforms.');
  }
}

const child = spawn(findCommand(), process.argv.slice(2), { stdio: 'inherit' });
// What the terminal sends reaches the child too; what is sent to this process alone is passed on.
const passed = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2'];
for (const name of passed) {
  process.on(name, () => {
    if (!process.stdin.isTTY || name === 'SIGTERM' || name === 'SIGUSR2') child.kill(name);
  });
}
child.on('error', (error) => fail(`${child.spawnfile} can't be started: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  for (const name of passed) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // Where the signal does not end this process, the status that a shell would give.
  process.exitCode = 128 + os.constants.signals[signal];
});
