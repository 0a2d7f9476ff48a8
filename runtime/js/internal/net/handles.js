'use strict';
// What programs find on socket._handle and server._handle: the methods that Node's handles have.

const native = binding('stream');

const prototype = {
  close(callback) { native.close(this, callback); },
  ref() { native.ref(this); },
  unref() { native.unref(this); },
  hasRef() { return native.hasRef(this); },
  getAsyncId() { return require('internal/async/ids').workOf(this).id; },
  setNoDelay(enable) { return native.setNoDelay(this, Boolean(enable)); },
  setKeepAlive(enable, delay) {
    return native.setKeepAlive(this, Boolean(enable), Math.max(1, delay | 0));
  },
  setBlocking() { return 0; },
  readStart() { return native.readStart(this); },
  readStop() { return native.readStop(this); },
};
Object.defineProperties(prototype, {
  fd: { get() { return native.fd(this); }, configurable: true },
  bytesRead: { get() { return native.bytesRead(this); }, configurable: true },
  bytesWritten: { get() { return native.bytesWritten(this); }, configurable: true },
  writeQueueSize: { get() { return native.queueSize(this); }, configurable: true },
});
for (const name of Object.keys(prototype)) {
  Object.defineProperty(prototype, name, { enumerable: false });
}
native.setPrototype(prototype);

// The prototypes of handles, where they have classes (--expose-internals).
const kinds = new Set();

// Programs may hand over handles of their own making.
function isOurs(handle) {
  if (handle === null || typeof handle !== 'object') return false;
  const own = Object.getPrototypeOf(handle);
  return own === prototype || kinds.has(own);
}

module.exports = { isOurs, prototype, kinds };
