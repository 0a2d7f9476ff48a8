'use strict';
// Node's name internal/http.

const { kHeaders } = require('internal/http/outgoing_head');

module.exports = { kOutHeaders: kHeaders };
