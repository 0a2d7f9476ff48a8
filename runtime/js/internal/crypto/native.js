'use strict';
// The binding, once the library behind it is set up as the options of the command line say.

const options = require('internal/boot/options');

// Read by the library when it starts.
const config = options.last('openssl-config');
if (config !== undefined) process.env.OPENSSL_CONF = config;

const native = binding('crypto');
const heap = Number(options.last('secure-heap') ?? 0);
const wantsLegacy = options.isOn('openssl-legacy-provider');
// Once for all threads.
if ((heap > 0 || wantsLegacy) && require('worker_threads').isMainThread) {
  if (heap > 0) native.secureHeapStart(heap, Number(options.last('secure-heap-min') ?? 2));
  if (wantsLegacy) native.loadProvider('legacy');
}

module.exports = native;
