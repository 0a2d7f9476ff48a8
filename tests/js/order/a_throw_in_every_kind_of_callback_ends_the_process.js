// Each kind in a process of its own: what it says, and its status.
const { spawnSync } = require('child_process');
const kinds = require('./throwers/kinds.js');

const name = process.argv[2];
if (name === undefined) {
  for (const kind of Object.keys(kinds)) {
    const { status, signal, stdout, stderr } =
      spawnSync(process.execPath, ['--no-warnings', __filename, kind], { encoding: 'utf8' });
    const told = stderr.split('\n').filter((line) => /^\w*(Error|thrown)/.test(line));
    console.log(`${kind}:`, status, signal, stdout.trim().split('\n'), told);
  }
} else {
  process.on('exit', (code) => console.log('exit', code));
  kinds[name](() => { throw new RangeError(`thrown in ${name}`); });
}
