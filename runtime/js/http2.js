'use strict';
const { absentAll } = require('internal/absent');

module.exports = {
  ...absentAll('http2', ['Http2ServerRequest', 'Http2ServerResponse', 'connect',
    'createSecureServer', 'createServer', 'getDefaultSettings', 'getPackedSettings',
    'getUnpackedSettings', 'performServerHandshake'], 'HTTP/2'),
  // The names of RFC 9113 that programs use as keys.
  constants: {
    NGHTTP2_NO_ERROR: 0, NGHTTP2_PROTOCOL_ERROR: 1, NGHTTP2_INTERNAL_ERROR: 2,
    NGHTTP2_FLOW_CONTROL_ERROR: 3, NGHTTP2_SETTINGS_TIMEOUT: 4, NGHTTP2_STREAM_CLOSED: 5,
    NGHTTP2_FRAME_SIZE_ERROR: 6, NGHTTP2_REFUSED_STREAM: 7, NGHTTP2_CANCEL: 8,
    NGHTTP2_COMPRESSION_ERROR: 9, NGHTTP2_CONNECT_ERROR: 10, NGHTTP2_ENHANCE_YOUR_CALM: 11,
    NGHTTP2_INADEQUATE_SECURITY: 12, NGHTTP2_HTTP_1_1_REQUIRED: 13,
    HTTP2_HEADER_STATUS: ':status', HTTP2_HEADER_METHOD: ':method',
    HTTP2_HEADER_AUTHORITY: ':authority', HTTP2_HEADER_SCHEME: ':scheme',
    HTTP2_HEADER_PATH: ':path', HTTP2_HEADER_PROTOCOL: ':protocol',
    HTTP2_HEADER_CONTENT_LENGTH: 'content-length', HTTP2_HEADER_CONTENT_TYPE: 'content-type',
    HTTP2_HEADER_EXPECT: 'expect', HTTP2_HEADER_CONNECTION: 'connection',
    HTTP2_HEADER_UPGRADE: 'upgrade', HTTP2_HEADER_HOST: 'host',
    HTTP2_HEADER_HTTP2_SETTINGS: 'http2-settings', HTTP2_HEADER_KEEP_ALIVE: 'keep-alive',
    HTTP2_HEADER_PROXY_CONNECTION: 'proxy-connection',
    HTTP2_HEADER_TRANSFER_ENCODING: 'transfer-encoding', HTTP2_HEADER_TE: 'te',
    HTTP2_METHOD_GET: 'GET', HTTP2_METHOD_HEAD: 'HEAD', HTTP2_METHOD_CONNECT: 'CONNECT',
    HTTP2_METHOD_DELETE: 'DELETE', HTTP2_METHOD_POST: 'POST',
    HTTP_STATUS_OK: 200, HTTP_STATUS_NOT_FOUND: 404,
  },
  sensitiveHeaders: Symbol('nodejs.http2.sensitiveHeaders'),
};
