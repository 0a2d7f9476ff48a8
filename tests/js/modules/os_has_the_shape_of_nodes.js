const os = require('os');
function shape(value) {
  if (Array.isArray(value)) return value.length > 0 ? [shape(value[0])] : [];
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
  }
  return typeof value;
}
for (const name of ['arch', 'availableParallelism', 'cpus', 'endianness', 'freemem', 'getPriority',
  'homedir', 'hostname', 'loadavg', 'machine', 'platform', 'release', 'tmpdir', 'totalmem', 'type',
  'uptime', 'userInfo', 'version']) console.log(name, shape(os[name]()));
const loopback = os.networkInterfaces().lo;
console.log(loopback && loopback[0]);
console.log(JSON.stringify(os.EOL), os.devNull, os.constants.signals.SIGTERM,
  os.constants.errno.ENOENT, os.constants.priority);
console.log(os.arch(), os.platform(), os.type(), os.hostname(), os.release(), os.machine(),
  os.endianness(), os.homedir(), os.tmpdir(), os.totalmem(), os.cpus().length, os.version());
console.log(os.userInfo().username, os.userInfo({ encoding: 'buffer' }).username);
process.env.TMPDIR = '/elsewhere/';
console.log(os.tmpdir());
try {
  os.setPriority(0, 100);
} catch (error) {
  console.log(error.code, error.message);
}
console.log(Object.keys(os.constants.signals).length, Object.keys(os.constants.errno).length > 50);
