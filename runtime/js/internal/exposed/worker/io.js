'use strict';
// Node's name internal/worker/io.

module.exports = {
  ...require('internal/message_port'), ...require('internal/message_event'),
};
