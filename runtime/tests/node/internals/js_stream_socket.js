'use strict';
module.exports = require('internal/net/stream_socket');
