'use strict';
// Paths of files as URLs and back, on this system and as Windows has them.

const { URL } = require('internal/url/url');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');

function invalidPath(text) {
  return withCode(TypeError, 'ERR_INVALID_FILE_URL_PATH', `File URL path must ${text}`,
    invalidPath);
}

function toWindowsPath({ hostname, pathname }) {
  if (/%2f|%5c/i.test(pathname)) throw invalidPath('not include encoded \\ or / characters');
  const path = decodeURIComponent(pathname.replaceAll('/', '\\'));
  if (hostname !== '') {
    return `\\\\${require('internal/url/idna').domainToUnicode(hostname)}${path}`;
  }
  if (!/^.[a-z]:/i.test(path)) throw invalidPath('be absolute');
  return path.slice(1);
}

function fileURLToPath(url, options = {}) {
  if (typeof url === 'string') url = new URL(url);
  else if (!(url && url.href && url.protocol)) throw invalidArgType('path', ['string', 'URL'], url);
  if (url.protocol !== 'file:') {
    throw withCode(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  }
  if (options?.windows) return toWindowsPath(url);
  if (url.hostname !== '') {
    throw withCode(TypeError, 'ERR_INVALID_FILE_URL_HOST',
      'File URL host must be "localhost" or empty on linux');
  }
  if (/%2f/i.test(url.pathname)) throw invalidPath('not include encoded / characters');
  return decodeURIComponent(url.pathname);
}

const percent = (text, pattern) => text.replace(pattern, (c) =>
  `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

// "\\server\share\path", perhaps as "\\?\UNC\server\share\path"
function fromNetwork(path) {
  const text = path.replace(/^\\\\\?\\UNC\\/i, '\\\\');
  const end = text.indexOf('\\', 2);
  if (end === -1) throw invalidArgValue('path', path, 'Missing UNC resource path');
  if (end === 2) throw invalidArgValue('path', path, 'Empty UNC servername');
  const url = new URL('file://');
  url.hostname = text.slice(2, end);
  url.pathname = percent(text.slice(end).replaceAll('\\', '/'), /[%\n\r\t?#[\]^|~]/g);
  return url;
}

function pathToFileURL(path, options = undefined) {
  validateString(path, 'path');
  const isWindows = Boolean(options?.windows);
  const network = /^\\\\(?!\?\\(?!UNC\\))/i;
  if (isWindows && network.test(path)) return fromNetwork(path);
  const { resolve } = isWindows ? require('path').win32 : require('path');
  let resolved = resolve(isWindows ? path.replace(/^\\\\\?\\/, '') : path);
  const last = isWindows ? /[/\\]$/ : /\/$/;
  if (last.test(path) && !last.test(resolved)) resolved += '/';
  if (isWindows) resolved = `/${resolved.replaceAll('\\', '/')}`.replace(/^\/\//, '/');
  return new URL(`file://${percent(resolved, /[%\\\n\r\t?#[\]^|~]/g)}`);
}

module.exports = { fileURLToPath, pathToFileURL };
