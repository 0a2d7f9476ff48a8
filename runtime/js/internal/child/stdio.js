'use strict';
// What the descriptors of a child are: numbers, or the words 'pipe', 'ignore' and 'ipc'.

const streams = binding('stream');
const { isOurs } = require('internal/net/handles');
const { invalidArgValue, withCode } = require('internal/errors/errors');

// A child that is given a stream reads or writes it alone: what we would read is lost to it.
function handOver(stream) {
  const fd = isOurs(stream._handle) ? streams.fd(stream._handle) : -1;
  if (fd > 2) {
    streams.readStop(stream._handle);
    stream.pause();
    stream.readableFlowing = false;
    stream._readableState.reading = false;
    stream._isGivenAway = true;
  }
  return fd;
}

// `isSync`: for a child that is waited for.
function stdioList(stdio, isSync = false) {
  if (stdio === undefined || stdio === null) return ['pipe', 'pipe', 'pipe'];
  if (typeof stdio === 'string') {
    if (stdio === 'inherit') return [0, 1, 2];
    if (stdio === 'overlapped') return ['pipe', 'pipe', 'pipe'];
    if (stdio === 'pipe' || stdio === 'ignore') return [stdio, stdio, stdio];
    throw invalidArgValue('stdio', stdio);
  }
  if (!Array.isArray(stdio)) throw invalidArgValue('stdio', stdio);
  const list = [...stdio];
  while (list.length < 3) list.push('pipe');
  return list.map((one, i) => {
    if (one === undefined || one === null) return i < 3 ? 'pipe' : 'ignore';
    if (one === 'inherit') return i;
    if (one === 'ipc' && isSync) {
      throw withCode(Error, 'ERR_IPC_SYNC_FORK', 'IPC cannot be used with synchronous forks');
    }
    if (one === 'ipc' && list.indexOf('ipc') !== i) {
      throw withCode(Error, 'ERR_IPC_ONE_PIPE', 'Child process can have only one IPC pipe');
    }
    if (typeof one === 'number' || ['pipe', 'ignore', 'ipc'].includes(one)) return one;
    if (one === 'overlapped') return 'pipe';
    if ((typeof one === 'string' || ArrayBuffer.isView(one)) && !isSync) {
      throw withCode(TypeError, 'ERR_INVALID_SYNC_FORK_INPUT', 'Asynchronous forks do not ' +
        'support Buffer, TypedArray, DataView or string input: ' +
        `${require('internal/inspect/inspect').inspect(one)}`);
    }
    if (one._handle) return handOver(one);
    if (typeof one.fd === 'number') return one.fd;
    throw invalidArgValue('stdio', one);
  });
}

module.exports = { stdioList };
