'use strict';
const test = require('node:test');

test('c', () => { require('./lines.js').sum(3, 4); });
