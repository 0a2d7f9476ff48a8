'use strict';
module.exports = require('internal/bindings/handle_classes').stream_wrap;
