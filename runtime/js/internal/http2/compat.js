'use strict';
// Requests and responses as those of http, on a stream of HTTP/2.

const { Http2ServerRequest } = require('internal/http2/compat_request');
const { Http2ServerResponse } = require('internal/http2/compat_response');

function onServerStream(server, options, stream, headers, flags, raw) {
  const Request = options.Http2ServerRequest || Http2ServerRequest;
  const Response = options.Http2ServerResponse || Http2ServerResponse;
  const request = new Request(stream, headers, undefined, raw);
  const response = new Response(stream);
  response.req = request;
  if (headers[':method'] === 'CONNECT') {
    if (!server.emit('connect', request, response)) {
      response.statusCode = 405;
      response.end();
    }
    return;
  }
  const { expect } = headers;
  if (expect !== undefined) {
    if (expect === '100-continue') {
      if (server.listenerCount('checkContinue') > 0) {
        server.emit('checkContinue', request, response);
        return;
      }
      response.writeContinue();
    } else if (server.listenerCount('checkExpectation') > 0) {
      server.emit('checkExpectation', request, response);
      return;
    } else {
      response.statusCode = 417;
      response.end();
      return;
    }
  }
  server.emit('request', request, response);
}

module.exports = { onServerStream, Http2ServerRequest, Http2ServerResponse };
