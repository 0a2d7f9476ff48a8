'use strict';
const { withCode } = require('internal/errors/errors');

function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(text).toString();
  }
}

function unescapeBuffer(text, decodesSpaces) {
  const bytes = [];
  for (let i = 0; i < text.length; i++) {
    const hex = /^%([0-9a-f]{2})/i.exec(text.slice(i, i + 3));
    if (hex) {
      bytes.push(parseInt(hex[1], 16));
      i += 2;
    } else {
      bytes.push(...Buffer.from(decodesSpaces && text[i] === '+' ? ' ' : text[i]));
    }
  }
  return Buffer.from(bytes);
}

function escape(text) {
  if (typeof text !== 'string') text = typeof text === 'object' ? String(text) : `${text}`;
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(paired(text));
  }
}

// Half of a pair takes whatever follows for its other half.
function paired(text) {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xD800 || code > 0xDFFF) {
      out += text[i];
      continue;
    }
    if (++i >= text.length) throw withCode(URIError, 'ERR_INVALID_URI', 'URI malformed');
    out += String.fromCodePoint(0x10000 + (((code & 0x3FF) << 10) | (text.charCodeAt(i) & 0x3FF)));
  }
  return out;
}

function primitive(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : '';
  if (typeof value === 'bigint') return `${value}`;
  return typeof value === 'boolean' ? `${value}` : '';
}

function stringify(object, separator, equals, options) {
  const sep = separator || '&';
  const eq = equals || '=';
  const encode = (options && options.encodeURIComponent) || module.exports.escape;
  if (object === null || typeof object !== 'object') return '';
  return Object.keys(object).map((key) => {
    const head = encode(primitive(key)) + eq;
    const value = object[key];
    if (Array.isArray(value)) return value.map((one) => head + encode(primitive(one))).join(sep);
    return head + encode(primitive(value));
  }).filter(Boolean).join(sep);
}

function parse(text, separator, equals, options) {
  const out = { __proto__: null };
  if (typeof text !== 'string' || text.length === 0) return out;
  const sep = separator || '&';
  const eq = equals || '=';
  const decode = (options && options.decodeURIComponent) || module.exports.unescape;
  const most = options && typeof options.maxKeys === 'number' ? options.maxKeys : 1000;
  let parts = text.split(sep);
  if (most > 0) parts = parts.slice(0, most);
  const plain = (part) => {
    const text = part.replaceAll('+', ' ');
    try {
      return decode(text);
    } catch {
      return unescape(text, true);
    }
  };
  for (const part of parts) {
    if (part === '') continue;
    const at = part.indexOf(eq);
    const key = plain(at === -1 ? part : part.slice(0, at));
    const value = at === -1 ? '' : plain(part.slice(at + eq.length));
    if (!(key in out)) out[key] = value;
    else if (Array.isArray(out[key])) out[key].push(value);
    else out[key] = [out[key], value];
  }
  return out;
}

module.exports = {
  stringify, parse, escape, unescape, unescapeBuffer, encode: stringify, decode: parse,
};
