'use strict';
// NODE_DEBUG=http: a line for each request and answer, at both ends.

const { subscribe } = require('diagnostics_channel');
const log = require('util').debuglog('http');

const urlOf = (request) => `${request.protocol}//${request.getHeader('host')}${request.path}`;

function start() {
  if (!log.enabled) return;
  subscribe('http.client.request.start', ({ request }) => {
    log('client sends %s %s', request.method, urlOf(request), { ...request.getHeaders() });
  });
  subscribe('http.client.response.finish', ({ request, response }) => {
    log('client got %d for %s %s', response.statusCode, request.method, urlOf(request),
      response.headers);
  });
  subscribe('http.client.request.error', ({ request, error }) => {
    log('client failed at %s %s: %s', request.method, urlOf(request), error.message);
  });
  subscribe('http.server.request.start', ({ request }) => {
    log('server got %s %s', request.method, request.url, request.headers);
  });
  subscribe('http.server.response.finish', ({ request, response }) => {
    log('server answered %d to %s %s', response.statusCode, request.method, request.url);
  });
}

module.exports = { start };
