'use strict';
// Handles that programs made themselves and gave to a socket: they call onread(arrayBuffer).

const { systemError } = require('internal/errors/errors');
const { streamBaseState, kArrayBufferOffset, kReadBytesOrError } =
  require('internal/net/stream_base');

const EOF = -4095;

function attach(socket) {
  const handle = socket._handle;
  if (typeof handle.readStart !== 'function' || !Object.isExtensible(handle)) return;
  handle.onread = (buffer) => {
    const count = streamBaseState[kReadBytesOrError];
    if (socket.destroyed || !socket._handle || count === 0) return;
    if (count > 0) {
      const chunk = Buffer.from(buffer, streamBaseState[kArrayBufferOffset], count);
      if (!socket.push(chunk)) {
        socket._isReading = false;
        handle.readStop?.();
      }
    } else if (count === EOF) {
      socket.push(null);
      socket.read(0);
    } else {
      socket.destroy(systemError(count, 'read'));
    }
  };
}

module.exports = { attach };
