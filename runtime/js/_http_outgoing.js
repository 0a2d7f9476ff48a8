'use strict';
const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('http');
const { kHighWaterMark } = require('internal/http/outgoing');
module.exports = { kHighWaterMark, OutgoingMessage, validateHeaderName, validateHeaderValue };
