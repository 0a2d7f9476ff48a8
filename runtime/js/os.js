'use strict';
const { validateInteger } = require('internal/errors/validators');
const native = binding('os');
const { signals } = require('internal/system/constants');

function networkInterfaces() {
  const out = {};
  for (const { name, ...info } of native.interfaces()) {
    const bits = info.netmask.includes(':')
      ? info.netmask.split(':').filter(Boolean)
        .reduce((sum, part) => sum + parseInt(part, 16).toString(2).replace(/0/g, '').length, 0)
      : info.netmask.split('.')
        .reduce((sum, part) => sum + (+part).toString(2).replace(/0/g, '').length, 0);
    (out[name] ??= []).push({ ...info, cidr: `${info.address}/${bits}` });
  }
  return out;
}

// Numbers of Linux that Node does not name.
const NOT_NODES = ['EHOSTDOWN', 'ENONET', 'EREMOTEIO', 'ESHUTDOWN', 'ESOCKTNOSUPPORT', 'EUNATCH'];
const errno = { __proto__: null };
for (let i = 1; i < 134; i++) {
  const name = binding('process').errorName(-i);
  if (/^E[A-Z0-9]+$/.test(name) && !NOT_NODES.includes(name)) errno[name] ??= i;
}
// Those of Linux that the loop's library has no words for.
Object.assign(errno, { EBADMSG: 74, ECHILD: 10, EDEADLK: 35, EDOM: 33, EDQUOT: 122, EIDRM: 43,
  EINPROGRESS: 115, EMULTIHOP: 72, ENETRESET: 102, ENOLCK: 37, ENOLINK: 67, ENOMSG: 42, ENOSR: 63,
  ENOSTR: 60, EOPNOTSUPP: 95, ESTALE: 116, ETIME: 62, EWOULDBLOCK: 11 });

function asSystemError(syscall, work) {
  try {
    return work();
  } catch (error) {
    const { SystemError } = require('internal/errors/system_error');
    const { code, errno } = error;
    const [, message] = require('util').getSystemErrorMap().get(errno);
    throw new SystemError({ errno, code, message, syscall }, 'ERR_SYSTEM_ERROR',
      'A system error occurred');
  }
}

module.exports = {
  arch: () => native.arch,
  availableParallelism: native.parallelism,
  cpus: native.cpus,
  endianness: () => (new Uint8Array(new Uint16Array([1]).buffer)[0] ? 'LE' : 'BE'),
  freemem: native.freemem,
  getPriority: (pid = 0) => {
    validateInteger(pid, 'pid', -2147483648, 2147483647);
    return asSystemError('uv_os_getpriority', () => native.priority(pid));
  },
  setPriority: (pid, priority) => {
    if (priority === undefined) [pid, priority] = [0, pid];
    validateInteger(pid, 'pid', -2147483648, 2147483647);
    validateInteger(priority, 'priority', -20, 19);
    asSystemError('uv_os_setpriority', () => native.priority(pid, priority));
  },
  homedir: () => native.homedir(),
  hostname: native.hostname,
  loadavg: native.loadavg,
  machine: () => native.uname()[3],
  networkInterfaces,
  platform: () => process.platform,
  release: () => native.uname()[2],
  tmpdir: () => (process.env.TMPDIR || process.env.TMP || process.env.TEMP || '/tmp')
    .replace(/(.)\/$/, '$1'),
  totalmem: native.totalmem,
  type: () => native.uname()[0],
  uptime: native.uptime,
  userInfo: (options) => {
    const user = native.user();
    if (options?.encoding === 'buffer') {
      for (const key of ['username', 'homedir', 'shell']) user[key] = Buffer.from(user[key]);
    }
    return user;
  },
  version: () => native.uname()[1],
  EOL: '\n',
  devNull: '/dev/null',
  constants: {
    __proto__: null, UV_UDP_REUSEADDR: 4,
    dlopen: { __proto__: null, RTLD_LAZY: 1, RTLD_NOW: 2, RTLD_GLOBAL: 256, RTLD_LOCAL: 0,
      RTLD_DEEPBIND: 8 },
    errno, signals,
    priority: { __proto__: null, PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0,
      PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 },
  },
};

Object.defineProperty(module.exports, 'EOL',
  { value: '\n', writable: false, enumerable: true, configurable: true });

// As text, these are what they give.
for (const name of ['arch', 'availableParallelism', 'endianness', 'freemem', 'homedir', 'hostname',
  'machine', 'platform', 'release', 'tmpdir', 'totalmem', 'type', 'uptime', 'version']) {
  const work = module.exports[name];
  Object.defineProperty(work, Symbol.toPrimitive,
    { value: () => work(), writable: true, enumerable: true, configurable: true });
}
