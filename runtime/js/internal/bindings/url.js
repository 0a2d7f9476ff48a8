'use strict';
// Node's binding url.

const { URL } = require('internal/url/url');

module.exports = { canParse: (text, base) => URL.canParse(text, base) };
