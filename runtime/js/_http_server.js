'use strict';
const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('http');
module.exports = { STATUS_CODES, Server, ServerResponse, _connectionListener };
