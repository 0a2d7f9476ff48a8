'use strict';
// Header fields between the objects of programs and the lists of the wire.

const { h2Error } = require('internal/http2/errors');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { isToken } = require('internal/http/common');

let native;
const sensitiveHeaders = Symbol('sensitiveHeaders');
const SINGLE = new Set([':status', ':method', ':authority', ':scheme', ':path', ':protocol',
  'access-control-allow-credentials', 'access-control-max-age', 'access-control-request-method',
  'age', 'authorization', 'content-encoding', 'content-language', 'content-length',
  'content-location', 'content-md5', 'content-range', 'content-type', 'date', 'dnt', 'etag',
  'expires', 'from', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range',
  'if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization',
  'range', 'referer', 'retry-after', 'tk', 'upgrade-insecure-requests', 'user-agent',
  'x-content-type-options']);
const CONNECTION = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive',
  'proxy-connection', 'transfer-encoding']);
const PSEUDO = new Set([':status', ':method', ':authority', ':scheme', ':path', ':protocol']);

function isConnectionHeader(name, value) {
  if (CONNECTION.has(name)) return true;
  return name === 'te' && value !== 'trailers';
}

function checkPseudo(name, allowed) {
  if (!allowed.has(name)) throw h2Error('INVALID_PSEUDOHEADER', name);
}

const REQUEST = PSEUDO;
const RESPONSE = new Set([':status']);
const NONE = new Set();

function add(list, name, value, never) {
  list.push(name, `${value}`, never);
}

// An object as [name, value, is it never indexed?, ...]: names that begin with a colon first.
function toList(headers, allowed) {
  native ??= binding('http2');
  const kind = allowed === REQUEST ? 2 : allowed === RESPONSE ? 1 : 0;
  return native.list(headers, kind, sensitiveHeaders) ?? readList(headers, allowed);
}

// What the plug-in finds odd: names in capitals, lists of values, and what is refused.
function readList(headers, allowed) {
  const pseudo = [];
  const others = [];
  const seen = new Set();
  const never = new Set();
  const secret = headers[sensitiveHeaders];
  if (secret !== undefined) {
    if (!Array.isArray(secret)) throw invalidArgValue('headers[http2.neverIndex]', secret);
    for (const name of secret) never.add(`${name}`.toLowerCase());
  }
  for (const key of Object.keys(headers)) {
    let value = headers[key];
    if (value === undefined || key === '') continue;
    const name = key.toLowerCase();
    const isSingle = SINGLE.has(name);
    if (Array.isArray(value)) {
      if (value.length === 0) continue;
      if (value.length === 1) [value] = value;
      else if (isSingle) throw h2Error('HEADER_SINGLE_VALUE', name);
    }
    if (isSingle) {
      if (seen.has(name)) throw h2Error('HEADER_SINGLE_VALUE', name);
      seen.add(name);
    }
    if (name[0] === ':') {
      checkPseudo(name, allowed);
      add(pseudo, name, value, never.has(name));
      continue;
    }
    if (!isToken(name)) {
      throw withCode(TypeError, 'ERR_INVALID_HTTP_TOKEN',
        `Header name must be a valid HTTP token ["${key}"]`);
    }
    if (isConnectionHeader(name, value)) throw h2Error('INVALID_CONNECTION_HEADERS', name);
    if (Array.isArray(value)) for (const one of value) add(others, name, one, never.has(name));
    else add(others, name, value, never.has(name));
  }
  return pseudo.concat(others);
}

// [name, value, is it never indexed?, ...] as an object
function toObject(list) {
  const object = { __proto__: null };
  const secret = [];
  for (let i = 0; i < list.length; i += 3) {
    const name = list[i];
    let value = list[i + 1];
    if (name === ':status') value |= 0;
    const before = object[name];
    if (before === undefined) object[name] = name === 'set-cookie' ? [value] : value;
    else if (name === 'set-cookie') before.push(value);
    else if (name === 'cookie') object[name] = `${before}; ${value}`;
    else if (!SINGLE.has(name)) object[name] = `${before}, ${value}`;
    if (list[i + 2]) secret.push(name);
  }
  object[sensitiveHeaders] = secret;
  return object;
}

function toRaw(list) {
  const raw = [];
  for (let i = 0; i < list.length; i += 3) raw.push(list[i], list[i + 1]);
  return raw;
}

// Both, of a head that the plug-in has left to us.
function read(list) {
  return [toObject(list), toRaw(list)];
}

function checkObject(value, name) {
  if (value !== undefined && (value === null || typeof value !== 'object' ||
      Array.isArray(value))) {
    throw invalidArgType(name, 'Object', value);
  }
}

module.exports = { sensitiveHeaders, toList, read, isConnectionHeader, checkObject,
  REQUEST, RESPONSE, NONE, PSEUDO };
