// Each kind in a process of its own: what it says, and its status.
const kinds = require('./throwers/kinds.js');

const name = process.argv[2];
if (name === undefined) {
  require('./throwers/run_each.js')(__filename);
} else {
  process.on('exit', (code) => console.log('exit', code));
  kinds[name](() => { throw new RangeError(`thrown in ${name}`); });
}
