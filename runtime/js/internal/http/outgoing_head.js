'use strict';
// The head of a message that goes out: the given headers, and what is added to them.

const native = binding('http');
const { error, validateHeaderName, validateHeaderValue } = require('internal/http/common');

const kHeaders = Symbol('kHeaders'); // { lower-case name: [name, value] }

function validateValue(name, value) {
  if (Array.isArray(value)) for (const one of value) validateHeaderValue(name, one);
  else validateHeaderValue(name, value);
}

// What the given headers say, for the ones that are added.
class Head {
  constructor() {
    this.text = '';
    this.connection = false;
    this.length = false;
    this.codings = false;
    this.date = false;
    this.expect = false;
    this.trailer = false;
  }
}

function note(message, head, name, value) {
  switch (name.length) {
    case 4:
      if (name.toLowerCase() === 'date') head.date = true;
      break;
    case 6:
      if (name.toLowerCase() === 'expect') head.expect = true;
      break;
    case 7:
      if (name.toLowerCase() === 'trailer') head.trailer = true;
      break;
    case 10:
      if (name.toLowerCase() === 'connection') {
        head.connection = true;
        message._removedConnection = false;
        if (/(?:^|\W)close(?:$|\W)/i.test(value)) message._last = true;
        else message.shouldKeepAlive = true;
      } else if (name.toLowerCase() === 'keep-alive') {
        message._defaultKeepAlive = false;
      }
      break;
    case 14:
      if (name.toLowerCase() === 'content-length') {
        head.length = true;
        message._contentLength = +value;
        message._removedContLen = false;
      }
      break;
    case 17:
      if (name.toLowerCase() === 'transfer-encoding') {
        head.codings = true;
        message._removedTE = false;
        if (/(?:^|\W)chunked(?:$|\W)/i.test(value)) message.chunkedEncoding = true;
      }
      break;
    default:
  }
}

function add(message, head, name, value, check) {
  if (check) {
    validateHeaderName(name);
    validateValue(name, value);
  }
  if (Array.isArray(value)) {
    if (value.length < 2 || name.toLowerCase() !== 'cookie') {
      for (const one of value) {
        head.text += `${name}: ${one}\r\n`;
        note(message, head, name, one);
      }
      return;
    }
    value = value.join('; ');
  }
  head.text += `${name}: ${value}\r\n`;
  note(message, head, name, value);
}

function addAll(message, head, headers) {
  if (headers === message[kHeaders]) {
    for (const key in headers) {
      const entry = headers[key];
      add(message, head, entry[0], entry[1], false);
    }
  } else if (Array.isArray(headers)) {
    if (headers.length > 0 && Array.isArray(headers[0])) {
      for (const [name, value] of headers) add(message, head, name, value, true);
    } else {
      for (let i = 0; i + 1 < headers.length; i += 2) {
        add(message, head, headers[i], headers[i + 1], true);
      }
    }
  } else {
    for (const name in headers) {
      if (Object.hasOwn(headers, name)) add(message, head, name, headers[name], true);
    }
  }
}

// What is added to the given headers; the numbers are those of the binding.
const { ADD_DATE, ADD_KEEP_ALIVE, ADD_TIMEOUT, ADD_CLOSE, ADD_LENGTH, ADD_CHUNKED, HEAD_IS_MADE,
  IN_CHUNKS } = native.additions;
const NOTHING = new Head();

function connectionFlags(message, head) {
  if (message._removedConnection) {
    message._last = !message.shouldKeepAlive;
    return 0;
  }
  if (head.connection) return 0;
  const canStay = message.shouldKeepAlive &&
    (head.length || message.useChunkedEncodingByDefault || message.agent);
  // The client is asked to leave; requests that it has sent already still get an answer.
  if (canStay && message.maxRequestsOnConnectionReached) return ADD_CLOSE;
  if (!canStay) {
    message._last = true;
    return ADD_CLOSE;
  }
  return message._keepAliveTimeout && message._defaultKeepAlive ? ADD_KEEP_ALIVE | ADD_TIMEOUT
    : ADD_KEEP_ALIVE;
}

function framingFlags(message, head, isWhole) {
  if (head.length || head.codings) return 0;
  if (!message._hasBody) {
    if (message.chunkedEncoding) message.chunkedEncoding = false;
  } else if (!message.useChunkedEncodingByDefault) {
    message._last = true;
  } else if (!head.trailer && !message._removedContLen &&
      (isWhole || message._contentLength !== null)) {
    return ADD_LENGTH;
  } else if (!message._removedTE) {
    message.chunkedEncoding = true;
    return ADD_CHUNKED;
  } else {
    message._last = true; // the end of the connection is the end of the body
  }
  return 0;
}

function readHeaders(message, headers) {
  if (!headers) return NOTHING;
  const head = new Head();
  if (headers === message[kHeaders]) {
    const text = native.lines(headers);
    if (text !== undefined) {
      head.text = text;
      return head;
    }
  }
  addAll(message, head, headers);
  return head;
}

// Decides how the message is framed and what becomes of the connection; `isWhole`: the length of
// the body is known.
function headFlags(message, head, isWhole) {
  let flags = message.sendDate && !head.date ? ADD_DATE : 0;
  // A chunked message without a body would be read as the start of the next one.
  if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
    message.chunkedEncoding = false;
    message.shouldKeepAlive = false;
  }
  flags |= connectionFlags(message, head);
  flags |= framingFlags(message, head, isWhole);
  if (head.trailer && message.chunkedEncoding !== true) {
    throw error('ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');
  }
  return flags;
}

module.exports = {
  kHeaders, validateValue, readHeaders, headFlags, ADD_TIMEOUT, IN_CHUNKS, HEAD_IS_MADE,
};
