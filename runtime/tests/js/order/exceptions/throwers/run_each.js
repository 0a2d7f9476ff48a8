// Runs each kind of thrower in a process of its own, with the same script, and tells how it ended.
const { spawnSync } = require('child_process');
const kinds = require('./kinds.js');

module.exports = function runEach(script) {
  for (const kind of Object.keys(kinds)) {
    const { status, signal, stdout, stderr } =
      spawnSync(process.execPath, ['--no-warnings', script, kind], { encoding: 'utf8' });
    const told = stderr.split('\n').filter((line) => /^\w*(Error|thrown)/.test(line));
    console.log(`${kind}:`, status, signal, stdout.trim().split('\n'), told);
  }
};
