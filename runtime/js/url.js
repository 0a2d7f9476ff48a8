'use strict';
const { URL, URLSearchParams } = require('internal/url');
const querystring = require('querystring');
const { invalidArgType, validateString, withCode } = require('internal/errors');

function fileURLToPath(url) {
  if (typeof url === 'string') url = new URL(url);
  else if (!(url && url.href && url.protocol)) throw invalidArgType('path', ['string', 'URL'], url);
  if (url.protocol !== 'file:') {
    throw withCode(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  }
  if (url.hostname !== '') {
    throw withCode(TypeError, 'ERR_INVALID_FILE_URL_HOST',
      'File URL host must be "localhost" or empty on linux');
  }
  if (/%2f/i.test(url.pathname)) {
    throw withCode(TypeError, 'ERR_INVALID_FILE_URL_PATH',
      'File URL path must not include encoded / characters');
  }
  return decodeURIComponent(url.pathname);
}

function pathToFileURL(path) {
  const resolved = require('path').resolve(path) + (path.endsWith('/') && path !== '/' ? '/' : '');
  return new URL(`file://${resolved.replace(/[%\\\n\r\t?#[\]^|~]/g, (c) =>
    `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}`);
}

function urlToHttpOptions(url) {
  const { hostname } = url;
  const options = {
    __proto__: null, ...url, protocol: url.protocol,
    hostname: hostname && hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash: url.hash, search: url.search, pathname: url.pathname,
    path: `${url.pathname || ''}${url.search || ''}`, href: url.href,
  };
  if (url.port !== '') options.port = Number(url.port);
  if (url.username || url.password) {
    options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  }
  return options;
}

const SLASHED = ['http:', 'https:', 'ftp:', 'file:', 'ws:', 'wss:', 'gopher:'];

// The older interface.
function Url() {
  for (const key of ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search',
    'query', 'pathname', 'path', 'href']) this[key] = null;
}

function parse(text, parseQuery = false, slashesDenoteHost = false) {
  if (text instanceof Url) return text;
  validateString(text, 'url');
  const out = new Url();
  let rest = text.trim();
  const hash = rest.indexOf('#');
  if (hash !== -1) {
    out.hash = rest.slice(hash);
    rest = rest.slice(0, hash);
  }
  const mark = rest.indexOf('?');
  if (mark !== -1) {
    out.search = rest.slice(mark);
    out.query = out.search.slice(1);
    rest = rest.slice(0, mark);
  }
  if (parseQuery) {
    out.query = querystring.parse(out.query ?? '');
    out.search ??= '';
  }
  const scheme = /^[a-z0-9.+-]+:/i.exec(rest);
  if (scheme) {
    out.protocol = scheme[0].toLowerCase();
    rest = rest.slice(scheme[0].length);
  }
  if (SLASHED.includes(out.protocol)) rest = rest.replaceAll('\\', '/');
  if ((scheme || slashesDenoteHost || /^\/\/[^@/]+@[^@/]+/.test(rest)) && rest.startsWith('//') &&
      out.protocol !== 'javascript:') {
    out.slashes = true;
    rest = rest.slice(2);
    const end = rest.search(/[/?#]/);
    let authority = end === -1 ? rest : rest.slice(0, end);
    rest = end === -1 ? '' : rest.slice(end);
    const at = authority.lastIndexOf('@');
    if (at !== -1) {
      out.auth = decodeURIComponent(authority.slice(0, at));
      authority = authority.slice(at + 1);
    }
    const port = /:([0-9]*)$/.exec(authority);
    if (port) {
      if (port[1] !== '') [, out.port] = port;
      authority = authority.slice(0, -port[0].length);
    }
    out.hostname = authority.toLowerCase();
    if (/[^\x00-\x7f]/.test(out.hostname)) out.hostname = require('punycode').toASCII(out.hostname);
    out.host = out.hostname + (out.port ? `:${out.port}` : '');
    if (out.hostname.startsWith('[')) out.hostname = out.hostname.slice(1, -1);
  }
  if (rest !== '') {
    out.pathname = rest.replace(/[\t\n\r "'<>\\^`{|}]/g, (c) =>
      `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  } else if (out.slashes && SLASHED.includes(out.protocol) && out.hostname) {
    out.pathname = '/';
  }
  if (out.pathname || out.search) out.path = (out.pathname || '') + (out.search || '');
  out.href = format(out);
  return out;
}

function format(value, options) {
  if (typeof value === 'string') value = parse(value);
  if (value instanceof URL) {
    const copy = new URL(value.href);
    if (options && options.fragment === false) copy.hash = '';
    if (options && options.search === false) copy.search = '';
    if (options && options.auth === false) copy.username = copy.password = '';
    return copy.href;
  }
  if (value === null || typeof value !== 'object') {
    throw invalidArgType('urlObject', ['Object', 'string'], value);
  }
  let { protocol = '', pathname = '', hash = '', search, host } = value;
  protocol ??= '';
  pathname ??= '';
  hash ??= '';
  if (protocol && !protocol.endsWith(':')) protocol += ':';
  const auth = value.auth ? `${encodeURIComponent(value.auth).replace(/%3A/i, ':')}@` : '';
  if (host) host = auth + host;
  else if (value.hostname) {
    host = `${auth}${value.hostname.includes(':') ? `[${value.hostname}]` : value.hostname}${
      value.port ? `:${value.port}` : ''}`;
  }
  if (value.query !== null && typeof value.query === 'object') {
    search ||= querystring.stringify(value.query);
  }
  search = search || '';
  if (value.slashes || ((!protocol || SLASHED.includes(protocol)) && host)) {
    host = `//${host || ''}`;
    if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
  } else if (!host) {
    host = '';
  }
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  if (search && search[0] !== '?') search = `?${search}`;
  return protocol + host + pathname.replace(/[?#]/g, encodeURIComponent) +
    search.replaceAll('#', '%23') + hash;
}

function resolve(from, to) {
  const base = parse(from);
  if (base.protocol && SLASHED.includes(base.protocol)) return new URL(to, from).href;
  const made = new URL(to, new URL(from, 'resolve://host'));
  return made.protocol === 'resolve:' ? made.href.replace(/^resolve:\/\/host/, '').replace(
    from.startsWith('/') ? /^$/ : /^\//, '') : made.href;
}

Url.prototype.parse = function parseInto(text, parseQuery, slashes) {
  Object.assign(this, parse(text, parseQuery, slashes));
};
Url.prototype.format = function formatSelf() { return format(this); };
Url.prototype.resolve = function resolveSelf(to) { return resolve(this.href, to); };
Url.prototype.resolveObject = function resolveObject(to) { return parse(resolve(this.href, to)); };

module.exports = {
  Url, URL, URLSearchParams, parse, format, resolve, fileURLToPath, pathToFileURL,
  urlToHttpOptions,
  resolveObject: (from, to) => parse(resolve(from, to)),
  domainToASCII: (name) => {
    try { return new URL(`http://${name}`).hostname; } catch { return ''; }
  },
  domainToUnicode: (name) => require('punycode').toUnicode(name),
};
