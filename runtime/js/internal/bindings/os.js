'use strict';
// Node's binding os. A function that a program puts in place of getHomeDirectory is the one that
// os.homedir() calls from then on.

const native = binding('os');
const { SystemError } = require('internal/errors/system_error');

const { homedir } = native;
let getHomeDirectory = () => homedir();

native.homedir = () => {
  const context = {};
  const found = getHomeDirectory(context);
  if (found !== undefined) return found;
  throw new SystemError(context, 'ERR_SYSTEM_ERROR', 'A system error occurred');
};

module.exports = {
  getHostname: native.hostname, getLoadAvg: native.loadavg, getUptime: native.uptime,
  get getHomeDirectory() { return getHomeDirectory; },
  set getHomeDirectory(value) { getHomeDirectory = value; },
};
