'use strict';
const test = require('node:test');

test('a', async () => { (await import('./module.mjs')).value(); });
test('b', () => { require('./lines.js').sum(1, 2); });
