'use strict';
// Node's binding http_parser.

const { METHOD_NUMBERS } = require('internal/http/common');
const { HTTPParser, ConnectionsList } = require('internal/http/parser_class');

const OTHERS = ['PRI', 'DESCRIBE', 'ANNOUNCE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN',
  'GET_PARAMETER', 'SET_PARAMETER', 'REDIRECT', 'RECORD', 'FLUSH'];

module.exports = { methods: [...METHOD_NUMBERS],
  allMethods: [...METHOD_NUMBERS.slice(0, -1), ...OTHERS, ...METHOD_NUMBERS.slice(-1)],
  HTTPParser, ConnectionsList };
