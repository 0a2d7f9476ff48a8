'use strict';
// The option `onread` of sockets: what comes is put into the buffer given, piece by piece.

const kInto = Symbol('into'); // the option
const kNext = Symbol('next'); // its buffer for what comes next
const kLeft = Symbol('left'); // what its callback has not yet taken

function give(socket, chunk) {
  const { buffer: given, callback } = socket[kInto];
  const next = () => (typeof given === 'function' ? given() : given);
  socket[kNext] ??= next();
  for (let at = 0; at < chunk.length;) {
    const buffer = socket[kNext];
    const piece = chunk.subarray(at, at + buffer.length);
    buffer.set(piece);
    at += piece.length;
    // It may also have paused or destroyed the socket.
    const goesOn = callback.call(socket, piece.length, buffer) !== false;
    socket[kNext] = next();
    if (!goesOn || !socket._isReading) {
      socket._isReading = false;
      socket._readableState.reading = false;
      socket._handle?.readStop();
      if (at < chunk.length) socket[kLeft] = chunk.subarray(at);
      return;
    }
  }
}

// Of a socket that reads again.
function giveLeft(socket) {
  const left = socket[kLeft];
  if (left === undefined) return;
  socket[kLeft] = undefined;
  give(socket, left);
}

module.exports = { kInto, kLeft, give, giveLeft };
