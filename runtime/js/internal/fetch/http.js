'use strict';
// One fetch: the request over http, redirects, compressed answers.

const http = require('http');
const { bodyBytes } = require('internal/fetch/body');
const { limitConnection, limitAnswer } = require('internal/fetch/limits');

const REDIRECTS = [301, 302, 303, 307, 308];

const CONDITIONS = ['if-modified-since', 'if-none-match', 'if-unmodified-since', 'if-match',
  'if-range'];

function failed(cause) {
  return new TypeError('fetch failed', { cause });
}

// A failure of the one is a failure of the other; who reads is told by the last.
function through(res, decoder) {
  res.on('error', (error) => decoder.destroy(error));
  res.on('aborted', () => decoder.destroy(res.errored ?? undefined));
  decoder.on('close', () => res.destroy());
  return res.pipe(decoder);
}

const DECODERS = { gzip: 'createGunzip', 'x-gzip': 'createGunzip', deflate: 'createInflate',
  br: 'createBrotliDecompress' };

// Encodings are named in the order in which they were put on.
function decoded(res) {
  const names = (res.headers['content-encoding'] ?? '').toLowerCase().split(',')
    .map((name) => name.trim());
  if (!names.every((name) => Object.hasOwn(DECODERS, name))) return res;
  return names.reverse().reduce((from, name) =>
    through(from, require('zlib')[DECODERS[name]]()), res);
}

function terminated(error) {
  let cause = error;
  if (error?.code === 'ECONNRESET' || error === undefined) {
    const { withCode } = require('internal/errors/errors');
    cause = withCode(Error, 'UND_ERR_SOCKET', 'other side closed');
    cause.name = 'SocketError';
  }
  return new TypeError('terminated', { cause });
}

// A body that nobody reads may fail, too: that is no error of the program.
function webStream(source, signal) {
  const iterator = source[Symbol.asyncIterator]();
  let failure;
  source.on('error', (error) => { failure ??= error; });
  return new ReadableStream({
    start(controller) {
      signal.addEventListener('abort', () => {
        source.destroy();
        controller.error(signal.reason);
      }, { once: true });
    },
    async pull(controller) {
      try {
        const { value, done } = await iterator.next();
        if (done && failure === undefined) controller.close();
        else if (done) controller.error(terminated(failure));
        else controller.enqueue(new Uint8Array(value));
      } catch (error) {
        controller.error(signal.aborted ? signal.reason : terminated(error));
      }
    },
    cancel() { source.destroy(); },
  }, { highWaterMark: 0 });
}

// A connection that was kept may have been closed by the other side just then.
function mayRetry(req, error, method) {
  return req.reusedSocket && error.code === 'ECONNRESET' && /^(GET|HEAD|OPTIONS|PUT)$/.test(method);
}

// Who asks on conditions, or past all caches, says so to the caches on the way.
function addCaching(headers, mode) {
  const isConditional = mode === 'default' &&
    CONDITIONS.some((name) => headers[name] !== undefined);
  if (mode === 'no-cache') {
    headers['cache-control'] ??= 'max-age=0';
  } else if (isConditional || mode === 'no-store' || mode === 'reload') {
    headers.pragma ??= 'no-cache';
    headers['cache-control'] ??= 'no-cache';
  }
}

function exchange(url, request, method, body) {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      reject(failed(new Error('unknown scheme')));
      return;
    }
    const headers = Object.fromEntries(request.headers);
    headers.accept ??= '*/*';
    headers['accept-language'] ??= '*';
    headers['sec-fetch-mode'] ??= 'cors';
    headers['user-agent'] ??= 'node';
    addCaching(headers, request.cache);
    headers['accept-encoding'] ??= `${url.protocol === 'https:' ? 'br, ' : ''}gzip, deflate`;
    if (body.length > 0 || method === 'POST' || method === 'PUT')
      headers['content-length'] = body.length;
    const { request: start } = url.protocol === 'https:' ? require('https') : http;
    const req = start(url, { method, headers });
    const onAbort = () => {
      req.destroy();
      reject(signal.reason);
    };
    let answer;
    req.on('error', (error) => {
      if (answer !== undefined) answer.destroy(error);
      else if (signal.aborted) reject(signal.reason);
      else if (mayRetry(req, error, method)) resolve(exchange(url, request, method, body));
      else reject(failed(error));
    });
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    limitConnection(req, url);
    limitAnswer(req, () => answer);
    req.on('response', (res) => {
      answer = res;
      res.on('error', () => {});
      resolve(res);
    });
    req.on('close', () => signal.removeEventListener('abort', onAbort));
    req.end(body);
  });
}

async function send(request) {
  let url = new URL(request.url);
  let { method } = request;
  let body = await bodyBytes(request.body);
  for (let redirects = 0; ; redirects++) {
    const res = await exchange(url, request, method, body);
    const { location } = res.headers;
    if (REDIRECTS.includes(res.statusCode) && location && request.redirect !== 'manual') {
      res.resume();
      if (request.redirect === 'error' || redirects === 20) {
        const reason = redirects === 20 ? 'redirect count exceeded' : 'unexpected redirect';
        throw failed(new Error(reason));
      }
      url = new URL(location, url);
      if (res.statusCode === 303 || (res.statusCode < 303 && method === 'POST')) {
        method = method === 'HEAD' ? 'HEAD' : 'GET';
        body = Buffer.alloc(0);
        for (const name of ['content-type', 'content-length']) request.headers.delete(name);
      }
      continue;
    }
    const pairs = [];
    for (let i = 0; i < res.rawHeaders.length; i += 2)
      pairs.push([res.rawHeaders[i], res.rawHeaders[i + 1]]);
    const isEmpty = method === 'HEAD' || [204, 205, 304].includes(res.statusCode);
    if (isEmpty) res.resume();
    const { Response } = require('internal/fetch/fetch');
    const { statusCode: status, statusMessage: statusText } = res;
    return Response.received(isEmpty ? null : webStream(decoded(res), request.signal),
      { status, statusText, headers: pairs },
      { type: 'basic', url: url.href, redirected: redirects > 0 });
  }
}

module.exports = { send };
