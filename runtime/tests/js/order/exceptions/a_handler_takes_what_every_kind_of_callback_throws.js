// Each kind in a process of its own: what the handler sees, and that the process goes on.
const kinds = require('./throwers/kinds.js');

const name = process.argv[2];
if (name === undefined) {
  require('./throwers/run_each.js')(__filename);
} else {
  process.on('uncaughtException', (error, origin) => {
    console.log('handled', error.message, origin);
    if (!/immediate|storage/.test(name)) process.nextTick(() => console.log('a tick goes on'));
    setImmediate(() => console.log('the loop goes on'));
  });
  process.on('exit', (code) => console.log('exit', code));
  kinds[name](() => { throw new RangeError(`thrown in ${name}`); });
}
