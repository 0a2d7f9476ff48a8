'use strict';
// Node's binding url.

const { URL } = require('internal/url');

module.exports = { canParse: (text, base) => URL.canParse(text, base) };
