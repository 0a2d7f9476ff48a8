'use strict';
// The handle behind a socket for datagrams, with the way in which it finds addresses.

const native = binding('udp');

const LOOPBACK = { udp4: '127.0.0.1', udp6: '::1' };
const EINVAL = -22;
const kState = Symbol('state symbol');

function newHandle(type, lookup) {
  const handle = native.newUdp();
  const family = type === 'udp4' ? 4 : 6;
  handle.lookup = (address, done) => (
    (lookup ?? require('dns').lookup)(address || LOOPBACK[type], family, done));
  return handle;
}

function kindOf(fd) {
  const kind = binding('process').guessHandle(fd);
  return kind === 'INVALID' ? 'UNKNOWN' : kind;
}

const isDescriptor = (fd) => Number.isInteger(fd) && fd > 0;

// A handle that is bound, or a descriptor's; or a status.
function createSocketHandle(address, port, type, fd, flags = 0) {
  const handle = newHandle(type);
  let status = 0;
  if (isDescriptor(fd)) status = kindOf(fd) === 'UDP' ? native.open(handle, fd) : EINVAL;
  else if (port || address) status = native.bind(handle, address, port || 0, flags);
  if (status === 0) return handle;
  native.close(handle, undefined);
  return status;
}

module.exports = { kState, newHandle, createSocketHandle, isDescriptor, kindOf };
