'use strict';
const { METHODS, STATUS_CODES, maxHeaderSize, validateHeaderName, validateHeaderValue } =
  require('internal/http/common');
const agents = require('internal/http/agent');
const { ClientRequest } = require('internal/http/client');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { Server } = require('internal/http/server');
const { validateInteger } = require('internal/errors/validators');

function createServer(options, listener) {
  return new Server(options, listener);
}

function request(url, options, callback) {
  return new ClientRequest(url, options, callback);
}

function get(url, options, callback) {
  const made = request(url, options, callback);
  made.end();
  return made;
}

module.exports = {
  METHODS: METHODS.slice(), STATUS_CODES, Agent: agents.Agent, ClientRequest, IncomingMessage,
  OutgoingMessage, Server, ServerResponse, createServer,
  validateHeaderName, validateHeaderValue, get, request, maxHeaderSize,
  setMaxIdleHTTPParsers(max) {
    validateInteger(max, 'max', 1);
    require('_http_common').parsers.max = max;
  },
  _connectionListener(socket) { this.emit('connection', socket); },
};
Object.defineProperty(module.exports, 'globalAgent', {
  configurable: true, enumerable: true,
  get: () => agents.globalAgent,
  set(value) { agents.globalAgent = value; },
});
