'use strict';
module.exports = require('internal/net/stream_socket');
process.emitWarning('The _stream_wrap module is deprecated.', 'DeprecationWarning', 'DEP0125');
