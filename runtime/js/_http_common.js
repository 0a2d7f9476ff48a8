'use strict';
// What programs below http use: parsers that make messages, kept for the next connection.

const { METHOD_NUMBERS, isLenient, isToken, isValue } = require('internal/http/common');
const { HTTPParser } = require('internal/bindings/http_parser');
const { IncomingMessage } = require('internal/http/incoming');
const { shelf } = require('internal/http/shelf');

const kIncomingMessage = Symbol('IncomingMessage');
const MOST_PAIRS = 2000;
const MOST_KEPT = 1000;

function parserOnHeaders(headers, url) {
  this._url += url;
  const isFull = this.maxHeaderPairs > 0 && this._headers.length >= this.maxHeaderPairs;
  if (!isFull) for (const word of headers) this._headers.push(word);
}

function parserOnHeadersComplete(major, minor, headers, method, url, statusCode, statusMessage,
  upgrade, shouldKeepAlive) {
  const { socket } = this;
  const Message = socket?.server?.[kIncomingMessage] ?? IncomingMessage;
  const message = this.incoming = new Message(socket);
  const fields = headers ?? this._headers;
  message.httpVersionMajor = major;
  message.httpVersionMinor = minor;
  message.joinDuplicateHeaders = this.joinDuplicateHeaders;
  message.url = url ?? this._url;
  message.upgrade = upgrade;
  this._headers = [];
  this._url = '';
  message.rawHeaders = this.maxHeaderPairs > 0 ? fields.slice(0, this.maxHeaderPairs) : fields;
  if (typeof method === 'number') message.method = METHOD_NUMBERS[method];
  else Object.assign(message, { statusCode, statusMessage });
  return this.onIncoming(message, shouldKeepAlive);
}

function parserOnBody(bytes) {
  const { incoming } = this;
  if (incoming !== null && !incoming._dumped && !incoming.push(bytes)) this.socket?.pause?.();
}

function parserOnMessageComplete() {
  const { incoming } = this;
  if (incoming === null) return;
  const trailers = this._headers;
  this._headers = [];
  this._url = '';
  incoming._end(trailers.length > 0 ? trailers.join('\n') : undefined);
}

// A parser as it is before its first message and between two connections.
function clean(parser) {
  for (const call of ['kOnMessageBegin', 'kOnExecute', 'kOnTimeout']) {
    parser[HTTPParser[call] | 0] = null;
  }
  Object.assign(parser, {
    _headers: [], _url: '', socket: null, incoming: null, outgoing: null,
    maxHeaderPairs: MOST_PAIRS, _consumed: false, onIncoming: null, joinDuplicateHeaders: null,
  });
}

function parsersCb() {
  const parser = new HTTPParser();
  clean(parser);
  parser[HTTPParser.kOnHeaders | 0] = parserOnHeaders;
  parser[HTTPParser.kOnHeadersComplete | 0] = parserOnHeadersComplete;
  parser[HTTPParser.kOnBody | 0] = parserOnBody;
  parser[HTTPParser.kOnMessageComplete | 0] = parserOnMessageComplete;
  return parser;
}

const parsers = shelf('parsers', MOST_KEPT, parsersCb);

function freeParser(parser, req, socket) {
  if (parser) {
    if (parser._consumed) parser.unconsume();
    clean(parser);
    parser.remove();
    if (parsers.free(parser)) parser.free();
    else setImmediate(() => parser.close());
  }
  if (req) req.parser = null;
  if (socket) socket.parser = null;
}

function prepareError(error, parser, rawPacket) {
  error.rawPacket = rawPacket || parser.getCurrentBuffer();
  if (error.reason) error.message = `Parse Error: ${error.reason}`;
}

module.exports = {
  _checkInvalidHeaderChar: (text) => !isValue(`${text}`), _checkIsHttpToken: isToken,
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i, CRLF: '\r\n', freeParser,
  methods: [...METHOD_NUMBERS], parsers, kIncomingMessage, HTTPParser, isLenient, prepareError,
};
