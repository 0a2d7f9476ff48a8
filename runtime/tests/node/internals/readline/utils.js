'use strict';
// Node's name internal/readline/utils.

const { sequences } = require('internal/readline/screen');
const CSI = (texts, ...values) => `\u001b[${String.raw(texts, ...values)}`;
module.exports = { CSI: Object.assign(CSI, {
  kEscape: '\u001b', kClearToLineBeginning: sequences.clearBefore,
  kClearToLineEnd: sequences.clearAfter, kClearLine: sequences.clearLine,
  kClearScreenDown: sequences.clearDown }) };
