'use strict';
// Where errors were emitted that nobody listened for: error -> {emitter, stack} of the call.

module.exports = new WeakMap();
