'use strict';
const { METHODS } = require('http');
const { isToken, isValue } = require('internal/http/common');

module.exports = {
  _checkIsHttpToken: isToken, _checkInvalidHeaderChar: (text) => !isValue(`${text}`),
  methods: METHODS, CRLF: '\r\n', chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
};
