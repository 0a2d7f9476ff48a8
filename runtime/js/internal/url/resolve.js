'use strict';
// url.resolve(): from one URL of the older interface to another, as a browser goes from a page to
// a link in it.

const { Url, SLASHED, isCode, parse } = require('internal/url/legacy');

const segments = (path) => (path ? path.split('/') : []);

function finish(out) {
  out.href = out.format();
  return out;
}

function setPath(out) {
  if (out.pathname !== null || out.search !== null) {
    out.path = (out.pathname || '') + (out.search || '');
  }
}

function copy(out, from, except) {
  for (const key of Object.keys(from)) if (key !== except) out[key] = from[key];
}

// The first segment that is not empty is the host of a link such as "http:foo/bar".
function takeHost(link) {
  const path = segments(link.pathname);
  link.host = '';
  while (path.length > 0 && link.host === '') link.host = path.shift();
  link.hostname ||= '';
  if (path[0] !== '') path.unshift('');
  if (path.length < 2) path.unshift('');
  return path.join('/');
}

function toOtherScheme(out, link) {
  if (!SLASHED.has(link.protocol)) {
    copy(out, link);
    return finish(out);
  }
  out.protocol = link.protocol;
  out.pathname = !link.host && link.protocol !== 'file:' && !isCode(link.protocol)
    ? takeHost(link) : link.pathname;
  out.search = link.search;
  out.query = link.query;
  out.host = link.host || '';
  out.auth = link.auth;
  out.hostname = link.hostname || link.host;
  out.port = link.port;
  if (out.pathname || out.search) out.path = (out.pathname || '') + (out.search || '');
  out.slashes ||= link.slashes;
  return finish(out);
}

// Without slashes after the scheme, the host is the path's first segment.
function hostToPath(url, path) {
  if (!url.host) return;
  if (path[0] === '') path[0] = url.host;
  else path.unshift(url.host);
}

function pathToHost(out, first) {
  const [auth, host] = first ? first.split('@') : [''];
  const hasAuth = auth !== '' && host !== undefined;
  if (hasAuth) out.auth = auth;
  out.hostname = out.host = hasAuth ? host : first;
}

function takeAuthority(out, link) {
  if (link.host) {
    if (out.host !== link.host) out.auth = null;
    out.host = link.host;
    out.port = link.port;
  }
  if (link.hostname) {
    if (out.hostname !== link.hostname) out.auth = null;
    out.hostname = link.hostname;
  }
}

// Removes "." and "..": what could not be removed is counted.
function removeDots(path) {
  let up = 0;
  for (let i = path.length - 1; i >= 0; i--) {
    if (path[i] === '.') {
      path.splice(i, 1);
    } else if (path[i] === '..') {
      path.splice(i, 1);
      up++;
    } else if (up > 0) {
      path.splice(i, 1);
      up--;
    }
  }
  return up;
}

// `state`: the path's segments, whether it must be absolute, whether there are no slashes.
function finishPath(out, link, state) {
  const { path, isFlat } = state;
  let { mustBeAbsolute } = state;
  const last = path[path.length - 1];
  const isOpen = last === '' ||
    ((out.host || link.host || path.length > 1) && (last === '.' || last === '..'));
  const up = removeDots(path);
  if (!mustBeAbsolute && !state.removesAllDots) path.unshift(...new Array(up).fill('..'));
  const starts = () => path[0] === '' || (path[0] && path[0][0] === '/');
  if (mustBeAbsolute && !starts()) path.unshift('');
  if (isOpen && !path.join('/').endsWith('/')) path.push('');
  const isAbsolute = starts();
  if (isFlat) pathToHost(out, isAbsolute || path.length === 0 ? '' : path.shift());
  mustBeAbsolute ||= out.host && path.length > 0;
  if (mustBeAbsolute && !isAbsolute) path.unshift('');
  out.pathname = path.length === 0 ? null : path.join('/');
  if (path.length === 0) out.path = null;
  setPath(out);
  out.auth = link.auth || out.auth;
  out.slashes ||= link.slashes;
  return finish(out);
}

function withinScheme(out, link) {
  const isFromRoot = Boolean(link.host || (link.pathname && link.pathname[0] === '/'));
  const isFlat = out.protocol && !SLASHED.has(out.protocol);
  const state = { path: segments(out.pathname), isFlat };
  state.mustBeAbsolute = isFromRoot || (out.pathname && out.pathname[0] === '/') ||
    (out.host && link.pathname);
  state.removesAllDots = state.mustBeAbsolute;
  const more = segments(link.pathname);
  if (state.isFlat) {
    out.hostname = '';
    out.port = null;
    hostToPath(out, state.path);
    out.host = '';
    if (link.protocol) {
      link.hostname = null;
      link.port = null;
      out.auth = null;
      hostToPath(link, more);
      link.host = null;
    }
    state.mustBeAbsolute &&= more[0] === '' || state.path[0] === '';
  }
  if (isFromRoot || more.length > 0) {
    if (isFromRoot) takeAuthority(out, link);
    state.path = isFromRoot ? more : [...state.path.slice(0, -1), ...more];
    out.search = link.search;
    out.query = link.query;
  } else if (link.search !== null && link.search !== undefined) {
    if (state.isFlat) pathToHost(out, state.path.shift());
    out.search = link.search;
    out.query = link.query;
    setPath(out);
    return finish(out);
  }
  if (state.path.length > 0) return finishPath(out, link, state);
  out.pathname = null;
  out.path = out.search ? `/${out.search}` : null;
  return finish(out);
}

function resolveObject(from, to) {
  const link = typeof to === 'string' ? new Url().parse(to, false, true)
    : Object.assign(new Url(), to);
  const out = Object.assign(new Url(), from);
  out.hash = link.hash;
  if (link.href === '') return finish(out);
  if (link.slashes && !link.protocol) {
    copy(out, link, 'protocol');
    if (SLASHED.has(out.protocol) && out.hostname && !out.pathname) out.path = out.pathname = '/';
    return finish(out);
  }
  if (link.protocol && link.protocol !== out.protocol) return toOtherScheme(out, link);
  return withinScheme(out, link);
}

Url.prototype.resolve = function resolve(to) {
  return this.resolveObject(parse(to, false, true)).format();
};
Url.prototype.resolveObject = function (to) { return resolveObject(this, to); };

module.exports = { Url };
