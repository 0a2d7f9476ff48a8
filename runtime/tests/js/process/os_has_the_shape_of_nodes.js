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
const { execSync } = require('child_process');
const says = (command) => execSync(command).toString().trim();
console.log(os.arch() === process.arch, os.platform(), os.type() === says('uname -s'),
  os.hostname() === says('uname -n'), os.release() === says('uname -r'),
  os.machine() === says('uname -m'), os.version() === says('uname -v'), os.endianness(),
  os.homedir() === process.env.HOME, os.cpus().length === Number(says('getconf _NPROCESSORS_ONLN')),
  os.totalmem() === 1024 * Number(says("sed -n 's/[^0-9]//g; 1p' /proc/meminfo")));
console.log(os.userInfo().username === says('id -un'),
  os.userInfo({ encoding: 'buffer' }).username.equals(Buffer.from(says('id -un'))));
delete process.env.TMPDIR;
console.log(os.tmpdir());
process.env.TMPDIR = '/elsewhere/';
console.log(os.tmpdir());
try {
  os.setPriority(0, 100);
} catch (error) {
  console.log(error.code, error.message);
}
console.log(Object.keys(os.constants.signals).length, Object.keys(os.constants.errno).length > 50);
