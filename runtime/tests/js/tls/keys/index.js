'use strict';
// Keys and certificates for tests. `server`, `client`, `other` and `old` are signed by `ca`.
const fs = require('fs');
const path = require('path');

const read = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8');
const pair = (name) => ({ key: read(`${name}.key`), cert: read(`${name}.pem`) });

module.exports = { ca: read('ca.pem'), server: pair('server'), client: pair('client'),
  other: pair('other'), self: pair('self'), old: pair('old') };
