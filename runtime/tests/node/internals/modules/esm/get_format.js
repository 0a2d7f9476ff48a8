'use strict';
// Node's name internal/modules/esm/get_format.

const path = require('path');
const { formatOfAddress } = require('internal/esm/formats');

module.exports = {
  extname: (url) => path.extname(require('url').fileURLToPath(url)),
  defaultGetFormat: (url) => formatOfAddress(`${url}`),
};
