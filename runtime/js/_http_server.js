'use strict';
const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('http');
const { kConnectionsCheckingInterval } = require('internal/http/server');
module.exports = {
  STATUS_CODES, Server, ServerResponse, _connectionListener, kConnectionsCheckingInterval,
};
