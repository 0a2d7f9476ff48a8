'use strict';
// The older interface of url: parse() and what formats its results again. It knows less of URLs
// than the standard does, and leaves more of a text as it was written.

const { withCode } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');

const SLASHED = new Set(['http:', 'https:', 'ftp:', 'gopher:', 'file:', 'ws:', 'wss:']);
// Schemes whose rest is code: neither a host nor anything to escape.
const isCode = (protocol) => protocol === 'javascript:';
const isBracketed = (host) => host[0] === '[' && host[host.length - 1] === ']';

const PARTS = ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query',
  'pathname', 'path', 'href'];

function Url() {
  for (const part of PARTS) this[part] = null;
}

function invalidUrl(input) {
  const error = withCode(TypeError, 'ERR_INVALID_URL', 'Invalid URL', invalidUrl);
  error.input = input;
  return error;
}

// Backslashes before a query or a fragment are slashes.
function straighten(text) {
  const end = text.search(/[?#]/);
  return end === -1 ? text.replaceAll('\\', '/')
    : text.slice(0, end).replaceAll('\\', '/') + text.slice(end);
}

function setQuery(out, parseQuery) {
  if (out.search !== null) {
    out.query = out.search.slice(1);
    if (parseQuery) out.query = require('querystring').parse(out.query);
  } else if (parseQuery) {
    out.query = { __proto__: null };
  }
}

// A path and perhaps a query, nothing else: most of what servers parse.
function parseSimple(out, rest, parseQuery) {
  const simple = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/.exec(rest);
  if (!simple) return false;
  out.path = rest;
  out.href = rest;
  out.pathname = simple[1];
  if (simple[2] !== undefined) out.search = simple[2];
  setQuery(out, parseQuery);
  return true;
}

let hasWarned = false;
function warnOfPort(url) {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    `The URL ${url} is invalid. Future versions of Node.js will throw an error.`,
    'DeprecationWarning', 'DEP0170');
}

// How a host's name ends where something begins that no name has; the rest goes to the path.
function cutName(out, rest, url) {
  const at = out.hostname.search(/[/\\#?:]/);
  if (at === -1) return rest;
  if (out.hostname[at] === ':') warnOfPort(url);
  const more = `/${out.hostname.slice(at)}${rest}`;
  out.hostname = out.hostname.slice(0, at);
  return more;
}

function checkName(out, url) {
  if (isBracketed(out.hostname)) {
    if (/[\0\t\n\r #%/<>?@\\^|]/.test(out.hostname)) throw invalidUrl(url);
    return;
  }
  out.hostname = require('internal/url/idna').toASCII(out.hostname) ?? '';
  if (out.hostname === '' || /[\0\t\n\r #%/:<>?@[\\\]^|]/.test(out.hostname)) throw invalidUrl(url);
}

// Takes user, host and port from the beginning; returns what is left.
function parseHost(out, text, url) {
  const end = text.search(/[/?#]/);
  const area = (end === -1 ? text : text.slice(0, end)).replace(/[\t\n\r]/g, '');
  const all = area + (end === -1 ? '' : text.slice(end));
  const at = area.lastIndexOf('@');
  if (at !== -1) out.auth = decodeURIComponent(area.slice(0, at));
  const stop = area.slice(at + 1).search(/[ "%';<>\\^`{|}]/);
  let host = stop === -1 ? area.slice(at + 1) : area.slice(at + 1, at + 1 + stop);
  let rest = all.slice(at + 1 + host.length);
  const port = /:[0-9]*$/.exec(host);
  if (port) {
    if (port[0] !== ':') out.port = port[0].slice(1);
    host = host.slice(0, port.index);
  }
  out.hostname = host;
  if (!isBracketed(host)) rest = cutName(out, rest, url);
  out.hostname = out.hostname.length > 255 ? '' : out.hostname.toLowerCase();
  if (out.hostname !== '') checkName(out, url);
  out.host = out.hostname + (out.port === null ? '' : `:${out.port}`);
  if (isBracketed(out.hostname)) {
    out.hostname = out.hostname.slice(1, -1);
    if (rest[0] !== '/') rest = `/${rest}`;
  }
  return rest;
}

const escaped = (text) => text.replace(/[\t\n\r "'<>\\^`{|}]/g, (c) =>
  `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

function parseTail(out, rest, parseQuery) {
  const hash = rest.indexOf('#');
  if (hash !== -1) out.hash = rest.slice(hash);
  const head = hash === -1 ? rest : rest.slice(0, hash);
  const mark = head.indexOf('?');
  if (mark !== -1) out.search = head.slice(mark);
  setQuery(out, parseQuery);
  const pathname = mark === -1 ? head : head.slice(0, mark);
  if (pathname !== '') out.pathname = pathname;
  else if (SLASHED.has(out.protocol) && out.hostname) out.pathname = '/';
  if (out.pathname || out.search) out.path = (out.pathname || '') + (out.search || '');
}

function parseInto(out, url, parseQuery, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = straighten(url.replace(/^[\0- \u00a0\ufeff]+|[\0- \u00a0\ufeff]+$/g, ''));
  const isPlain = !slashesDenoteHost && !/#|^[^?]*@/.test(rest);
  if (isPlain && parseSimple(out, rest, parseQuery)) return out;
  const scheme = /^[a-z0-9.+-]+:/i.exec(rest);
  if (scheme) {
    out.protocol = scheme[0].toLowerCase();
    rest = rest.slice(scheme[0].length);
  }
  let slashes = false;
  if (slashesDenoteHost || scheme || /^\/\/[^@/]+@[^@/]+/.test(rest)) {
    slashes = rest.startsWith('//');
    if (slashes && !isCode(out.protocol)) {
      rest = rest.slice(2);
      out.slashes = true;
    }
  }
  // A scheme in capitals is not known here, as in Node.
  if (!isCode(out.protocol) && (slashes || (scheme && !SLASHED.has(scheme[0])))) {
    rest = parseHost(out, rest, url);
  }
  parseTail(out, isCode(out.protocol) ? rest : escaped(rest), parseQuery);
  out.href = out.format();
  return out;
}

function parse(url, parseQuery = false, slashesDenoteHost = false) {
  if (url instanceof Url) return url;
  return parseInto(new Url(), url, parseQuery, slashesDenoteHost);
}

const encodeAuth = (auth) => encodeURIComponent(auth).replace(/%3A/g, ':');

function hostOf(url) {
  const auth = url.auth ? `${encodeAuth(url.auth)}@` : '';
  if (url.host) return auth + url.host;
  if (!url.hostname) return '';
  const { hostname } = url;
  const name = hostname.includes(':') && !isBracketed(hostname) ? `[${hostname}]` : hostname;
  return `${auth}${name}${url.port ? `:${url.port}` : ''}`;
}

function formatParts(url) {
  let protocol = url.protocol || '';
  let pathname = url.pathname || '';
  let hash = url.hash || '';
  let host = hostOf(url);
  const query = url.query !== null && typeof url.query === 'object'
    ? require('querystring').stringify(url.query) : '';
  let search = url.search || (query && `?${query}`) || '';
  if (protocol && !protocol.endsWith(':')) protocol += ':';
  pathname = pathname.replace(/[?#]/g, encodeURIComponent);
  if (url.slashes || SLASHED.has(protocol)) {
    if (url.slashes || host) {
      if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol === 'file:') {
      host = '//';
    }
  }
  search = search.replaceAll('#', '%23');
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  if (search && search[0] !== '?') search = `?${search}`;
  return protocol + host + pathname + search + hash;
}

Url.prototype.parse = function parse(url, parseQuery, slashesDenoteHost) {
  return parseInto(this, url, parseQuery, slashesDenoteHost);
};
Url.prototype.format = function format() { return formatParts(this); };

module.exports = { Url, SLASHED, isCode, parse };
