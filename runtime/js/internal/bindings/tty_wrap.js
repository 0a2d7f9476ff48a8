'use strict';
// Node's binding tty_wrap.

const native = binding('stream');
const { kindOf } = require('internal/bindings/handle_classes');

class TTY {
  constructor(fd, context = {}) {
    const handle = native.newTty(fd);
    if (typeof handle === 'object') return handle;
    const { errorName, errorText } = binding('process');
    Object.assign(context, { errno: handle, code: errorName(handle), message: errorText(handle),
      syscall: 'uv_tty_init' });
  }
}

kindOf(TTY, native, 'newTty', {
  getWindowSize(size) {
    const found = native.ttySize(this);
    if (!Array.isArray(found)) return found ?? -1;
    [size[0], size[1]] = found;
    return 0;
  },
  setRawMode(isRaw) { return native.setTtyMode(this, Boolean(isRaw)); },
  setBlocking(isOn) { return native.setBlocking(this, Boolean(isOn)); },
});

module.exports = { TTY, isTTY: (fd) => binding('process').guessHandle(fd) === 'TTY' };
