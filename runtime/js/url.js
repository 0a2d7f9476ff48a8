'use strict';
const { URL, URLSearchParams } = require('internal/url/url');
const { parse } = require('internal/url/legacy');
const { Url } = require('internal/url/resolve');
const { fileURLToPath, pathToFileURL } = require('internal/url/files');
const { invalidArgType, missingArgs } = require('internal/errors/errors');
const { validateObject } = require('internal/errors/validators');

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

function formatStandard(url, options) {
  if (options) validateObject(options, 'options');
  const wants = (name) => options?.[name] === undefined || Boolean(options[name]);
  const copy = new URL(url.href);
  if (!wants('fragment')) copy.hash = '';
  if (!wants('search')) copy.search = '';
  if (!wants('auth')) copy.username = copy.password = '';
  if (!options?.unicode || copy.hostname === '') return copy.href;
  const { domainToUnicode } = module.exports;
  const user = copy.username === '' && copy.password === '' ? ''
    : `${copy.username}${copy.password === '' ? '' : `:${copy.password}`}@`;
  const port = copy.port === '' ? '' : `:${copy.port}`;
  return `${copy.protocol}//${user}${domainToUnicode(copy.hostname)}${port}${copy.pathname}${
    copy.search}${copy.hash}`;
}

function format(url, options) {
  if (typeof url === 'string') return parse(url).format();
  if (url === null || typeof url !== 'object') {
    throw invalidArgType('urlObject', ['Object', 'string'], url);
  }
  return url instanceof URL ? formatStandard(url, options) : Url.prototype.format.call(url);
}

module.exports = {
  Url, parse,
  resolve: (from, to) => parse(from, false, true).resolve(to),
  resolveObject: (from, to) => (from ? parse(from, false, true).resolveObject(to) : to),
  format, URL, URLSearchParams,
  domainToASCII(name) {
    if (arguments.length < 1) throw missingArgs('domain');
    return require('internal/url/idna').domainToASCII(`${name}`);
  },
  domainToUnicode(name) {
    if (arguments.length < 1) throw missingArgs('domain');
    return require('internal/url/idna').domainToUnicode(`${name}`);
  },
  pathToFileURL, fileURLToPath, urlToHttpOptions,
};
