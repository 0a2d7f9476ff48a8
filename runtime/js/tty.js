'use strict';
const { _Socket: Socket } = require('net');
const native = binding('stream');
const { colorDepth } = require('internal/inspect/color_depth');
const { validateInteger } = require('internal/errors/validators');
const { systemError, withCode } = require('internal/errors/errors');

function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && binding('process').guessHandle(fd) === 'TTY';
}

function open(fd) {
  if (fd >> 0 !== fd || fd < 0) {
    throw withCode(RangeError, 'ERR_INVALID_FD', `"fd" must be a positive integer: ${fd}`);
  }
  const handle = native.newTty(fd);
  if (typeof handle === 'number') {
    const { errorName, errorText } = binding('process');
    const { SystemError } = require('internal/errors/system_error');
    throw new SystemError({ errno: handle, code: errorName(handle), message: errorText(handle),
      syscall: 'uv_tty_init' }, 'ERR_TTY_INIT_FAILED', 'TTY initialization failed');
  }
  return handle;
}

class ReadStream extends Socket {
  constructor(fd, options) {
    super({ handle: open(fd), manualStart: true, ...options });
    this.isRaw = false;
    this.isTTY = true;
    this.fd = fd;
  }

  setRawMode(flag) {
    const status = native.setTtyMode(this._handle, flag ? 1 : 0);
    if (status) this.emit('error', systemError(status, 'setRawMode'));
    else this.isRaw = Boolean(flag);
    return this;
  }
}

class WriteStream extends Socket {
  constructor(fd) {
    super({ handle: open(fd), manualStart: true });
    native.setBlocking(this._handle, true);
    this.isTTY = true;
    this.fd = fd;
    [this.columns, this.rows] = native.ttySize(this._handle);
  }

  _refreshSize() {
    const [columns, rows] = native.ttySize(this._handle);
    if (columns !== this.columns || rows !== this.rows) {
      this.columns = columns;
      this.rows = rows;
      this.emit('resize');
    }
  }

  getWindowSize() {
    return [this.columns, this.rows];
  }

  getColorDepth(env = process.env) {
    return colorDepth(env);
  }

  hasColors(count, env) {
    if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null)))
      return this.getColorDepth(count) >= 4;
    validateInteger(count, 'count', 2);
    return count <= 2 ** this.getColorDepth(env);
  }

  cursorTo(x, y, callback) {
    return require('readline').cursorTo(this, x, y, callback);
  }

  moveCursor(x, y, callback) {
    return require('readline').moveCursor(this, x, y, callback);
  }

  clearLine(direction, callback) {
    return require('readline').clearLine(this, direction, callback);
  }

  clearScreenDown(callback) {
    return require('readline').clearScreenDown(this, callback);
  }
}

module.exports = { isatty, ReadStream, WriteStream };
