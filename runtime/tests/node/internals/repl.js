'use strict';
// Node's name internal/repl.

module.exports = { ...require('repl'), ...require('internal/boot/prompt') };
