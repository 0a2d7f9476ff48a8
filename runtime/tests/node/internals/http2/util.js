'use strict';
// Node's name internal/http2/util.

module.exports = {
  kSocket: require('internal/http2/session').kSocket,
  NghttpError: require('internal/http2/errors').NghttpError,
};
