'use strict';
// process.stdin, stdout and stderr, made when they are first used.

const native = binding('process');
const streams = [];

// Files and pipes are written at once, as Node does on this system: nothing is lost at exit.
function makeOutput(fd, kind) {
  if (kind === 'TTY') {
    const { WriteStream } = require('tty');
    const stream = new WriteStream(fd);
    stream._handle && binding('stream').unref(stream._handle);
    return stream;
  }
  const { Writable } = require('stream');
  const { systemError } = require('internal/errors/errors');
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, encoding, callback) {
      const data = typeof chunk === 'string' && encoding !== 'utf8' && encoding !== 'utf-8'
        ? Buffer.from(chunk, encoding) : chunk;
      const status = native.write(fd, data);
      callback(status < 0 ? systemError(status, 'write') : null);
    },
    destroy(error, callback) { callback(error); },
  });
  stream._writableState.emitClose = true;
  stream.readable = false;
  return stream;
}

function makeInput(fd, kind) {
  if (kind === 'TTY') {
    const { ReadStream } = require('tty');
    return new ReadStream(fd);
  }
  if (kind === 'PIPE' || kind === 'TCP') {
    const net = require('net');
    // The channel to the parent is read for messages only.
    if (fd === process.channel?.fd) return new (require('stream').Readable)({ read() {} });
    const stream = new net.Socket({ fd, readable: true, writable: false, manualStart: true });
    stream._type = 'pipe';
    return stream;
  }
  if (kind === 'FILE' || kind === 'UNKNOWN') {
    const fs = require('fs');
    return new fs.ReadStream(null, { fd, autoClose: false });
  }
  const { Readable } = require('stream');
  const stream = new Readable({ read() {} });
  stream.push(null);
  return stream;
}

function open(fd) {
  if (streams[fd] === undefined) {
    const kind = native.guessHandle(fd);
    const stream = fd === 0 ? makeInput(fd, kind) : makeOutput(fd, kind);
    stream.fd = fd;
    stream._type ??= kind.toLowerCase();
    if (fd !== 0) {
      stream._isStdio = true;
      stream.destroySoon = stream.destroy;
      // It can't be closed: who writes later is heard.
      stream._destroy = (error, callback) => {
        callback(error);
        stream._undestroy();
      };
    } else if (stream._handle && stream._handle !== null) {
      keepOnlyWhileReading(stream);
    }
    streams[fd] = stream;
  }
  return streams[fd];
}

// Standard input holds the process only while someone reads it.
function keepOnlyWhileReading(stream) {
  stream.on('pause', () => {
    if (!stream._handle || !stream._isReading) return;
    stream._isReading = false;
    binding('stream').readStop(stream._handle);
  });
}

// A worker's streams are others.
function replace(others) {
  streams.push(...others);
  for (const stream of others.slice(1)) stream._isStdio = true;
}

module.exports = { open, replace, opened: (fd) => streams[fd] };
