'use strict';
module.exports = require('internal/exposed/handles').stream_wrap;
