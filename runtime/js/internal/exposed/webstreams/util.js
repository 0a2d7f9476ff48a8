'use strict';
// Node's name internal/webstreams/util.

module.exports = { kState: Symbol('kState') };
