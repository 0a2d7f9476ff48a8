'use strict';
const { constants } = require('internal/http2/constants');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } =
  require('internal/http2/settings');
const { sensitiveHeaders } = require('internal/http2/headers');
const { connect } = require('internal/http2/connect');
const { createServer, createSecureServer, performServerHandshake } =
  require('internal/http2/server');
const { Http2ServerRequest, Http2ServerResponse } = require('internal/http2/compat');

module.exports = {
  connect, constants, createServer, createSecureServer, getDefaultSettings, getPackedSettings,
  getUnpackedSettings, performServerHandshake, sensitiveHeaders, Http2ServerRequest,
  Http2ServerResponse,
};
