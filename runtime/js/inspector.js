'use strict';
const EventEmitter = require('events');
const { withCode } = require('internal/errors');

function unavailable() {
  throw withCode(Error, 'ERR_INSPECTOR_NOT_AVAILABLE', 'Inspector is not available');
}

class Session extends EventEmitter {
  connect() { unavailable(); }

  disconnect() {}

  post() { unavailable(); }
}

module.exports = {
  open: unavailable,
  close() {},
  url: () => undefined,
  waitForDebugger: unavailable,
  console,
  Session,
};
