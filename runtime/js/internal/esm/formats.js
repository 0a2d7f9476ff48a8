'use strict';
// What kind of module an address holds, and whether it may be imported so.

const fs = binding('fs');
const path = require('path');
const { withCode } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');
const { toPath } = require('internal/esm/resolve');

const { formatOf, looksLikeModule, defaultType } = require('internal/modules/format');

function unknownExtension(file) {
  return withCode(TypeError, 'ERR_UNKNOWN_FILE_EXTENSION',
    `Unknown file extension "${path.extname(file)}" for ${file}`);
}

function unknownFormat(format, address) {
  return withCode(RangeError, 'ERR_UNKNOWN_MODULE_FORMAT',
    `Unknown module format: ${format} for URL ${address}`);
}

function unsupportedScheme(address) {
  return withCode(Error, 'ERR_UNSUPPORTED_ESM_URL_SCHEME',
    'Only URLs with a scheme in: file, data, and node are supported by the default ESM loader. ' +
    `Received protocol '${/^[^:]*:/.exec(address)?.[0]}'`);
}

const MIME = { __proto__: null, 'text/javascript': 'module', 'application/json': 'json' };
const DATA = /^data:([^/]+\/[^,;]+)((?:[^,]*?)(;base64)?),([\s\S]*)$/;

// {format, text}; the format is a MIME type if it is of no use.
function parseData(address) {
  const match = DATA.exec(address);
  if (match === null) {
    const error = withCode(TypeError, 'ERR_INVALID_URL', 'Invalid URL');
    error.input = address;
    throw error;
  }
  const body = decodeURIComponent(match[4].replace(/#.*$/s, ''));
  return {
    format: MIME[match[1]] ?? match[1],
    text: match[3] ? Buffer.from(body, 'base64').toString() : body,
  };
}

// Of an address, as resolve hooks see it: null if only the source can tell.
function formatOfAddress(address, source) {
  if (address.startsWith('node:')) return 'builtin';
  if (address.startsWith('data:')) return MIME[/^data:([^,;]*)/.exec(address)[1]] ?? null;
  if (!address.startsWith('file:')) return undefined;
  return formatOf(toPath(address), source);
}

const TYPES = { __proto__: null, builtin: '', commonjs: '', module: '', wasm: '', json: 'json' };

function invalidType(address, type) {
  if (type !== 'json') {
    return withCode(TypeError, 'ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED',
      `Import attribute type "${type}" is unsupported`);
  }
  return withCode(TypeError, 'ERR_IMPORT_ASSERTION_TYPE_FAILED',
    `Module "${address}" is not of type "${type}"`);
}

const NO_ATTRIBUTES = { __proto__: null };

// The attributes of an import must fit the module.
function checkAttributes(address, format, attributes = NO_ATTRIBUTES) {
  for (const key of Object.keys(attributes)) {
    if (key === 'type') continue;
    throw withCode(TypeError, 'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED',
      `Import attribute "${key}" with value "${attributes[key]}" is not supported`);
  }
  const wanted = TYPES[format];
  const { type } = attributes;
  if (type !== undefined) validateString(type, 'type');
  if (wanted !== undefined && (wanted === '' ? undefined : wanted) !== type) {
    if (type === undefined) {
      throw withCode(TypeError, 'ERR_IMPORT_ASSERTION_TYPE_MISSING',
        `Module "${address}" needs an import attribute of type "${wanted}"`);
    }
    throw invalidType(address, type);
  }
}

// {format, source}: a source only where there is use for it. isRequired: by require(), which knows
// that the file is an ES module.
function load(address, attributes, hint, isRequired = false) {
  if (address.startsWith('node:')) {
    checkAttributes(address, 'builtin', attributes);
    return { format: 'builtin', source: null };
  }
  if (address.startsWith('data:')) {
    const { format, text } = parseData(address);
    checkAttributes(address, hint ?? format, attributes);
    if (TYPES[hint ?? format] === undefined) throw unknownFormat(format, address);
    return { format: hint ?? format, source: text };
  }
  if (!address.startsWith('file:')) throw unsupportedScheme(address);
  const file = toPath(address);
  let text;
  const source = () => text ??= fs.readFileSync(file, true, 0);
  const format = hint ?? formatOf(file, source);
  if (format === undefined) throw unknownExtension(file);
  checkAttributes(address, format, attributes);
  if (format === 'module' && text !== undefined && !isRequired) {
    require('internal/esm/words').tellOfTypeless(file, address);
  }
  if (format === 'wasm') return { format, source: fs.readFileSync(file, false, 0) };
  return { format, source: format === 'commonjs' ? null : source() };
}

module.exports = {
  load, formatOf, formatOfAddress, looksLikeModule, checkAttributes, parseData, unknownFormat,
  unknownExtension, defaultType, TYPES,
};
