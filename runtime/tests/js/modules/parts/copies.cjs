'use strict';
Object.defineProperty(exports, '__esModule', { value: true });
exports.own = 'own';

var _copied = require('./copied.cjs');

Object.keys(_copied).forEach(function (key) {
  if (key === 'default' || key === '__esModule') return;
  Object.defineProperty(exports, key, { enumerable: true, get: function () { return _copied[key]; } });
});
