'use strict';
// Streams of the web that read an open file.

const PIECE = 16384;

function endWith(handle, controller) {
  handle.once('close', () => {
    try {
      controller.close();
      controller.byobRequest?.respond(0);
    } catch {
      // It has ended already.
    }
  });
}

function plainSource(handle) {
  return {
    start(controller) { endWith(handle, controller); },
    async pull(controller) {
      const bytes = new Uint8Array(PIECE);
      const { bytesRead } = await handle.read(bytes, 0, PIECE, null);
      if (bytesRead === 0) controller.close();
      else controller.enqueue(bytes.buffer.slice(0, bytesRead));
    },
  };
}

function byteSource(handle) {
  return {
    type: 'bytes',
    autoAllocateChunkSize: PIECE,
    start(controller) { endWith(handle, controller); },
    async pull(controller) {
      const { view } = controller.byobRequest;
      const { bytesRead } = await handle.read(view, 0, view.byteLength, null);
      if (bytesRead === 0) controller.close();
      controller.byobRequest.respond(bytesRead);
    },
  };
}

module.exports = {
  readableOf: (handle, type) => (type === 'bytes' ? new ReadableStream(byteSource(handle))
    : new ReadableStream(plainSource(handle), { highWaterMark: 0 })),
};
