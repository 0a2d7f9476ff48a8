'use strict';
// Requests and responses as those of http, on a stream of HTTP/2.

const { Http2ServerRequest } = require('internal/http2/compat_request');
const { Http2ServerResponse } = require('internal/http2/compat_response');

const CONTINUE = 100;

// The event of the server that a head is, and the status for it where nobody listens.
function eventOf(headers) {
  if (headers[':method'] === 'CONNECT') return { name: 'connect', status: 405 };
  switch (headers.expect) {
    case undefined: return { name: 'request', status: undefined };
    case '100-continue': return { name: 'checkContinue', status: CONTINUE };
    default: return { name: 'checkExpectation', status: 417 };
  }
}

function onServerStream(server, options, stream, headers, flags, raw) {
  const Request = options.Http2ServerRequest || Http2ServerRequest;
  const Response = options.Http2ServerResponse || Http2ServerResponse;
  const request = new Request(stream, headers, undefined, raw);
  const response = new Response(stream);
  response.req = request;
  const { name, status } = eventOf(headers);
  if (server.emit(name, request, response) || status === undefined) return;
  if (status === CONTINUE) {
    response.writeContinue();
    server.emit('request', request, response);
  } else {
    response.statusCode = status;
    response.end();
  }
}

module.exports = { onServerStream, Http2ServerRequest, Http2ServerResponse };
