'use strict';
// Node's binding constants.

module.exports = {
  __proto__: null, os: require('os').constants, fs: require('fs').constants,
  zlib: require('zlib').constants,
  crypto: require('internal/crypto/constants'),
  trace: { __proto__: null, TRACE_EVENT_PHASE_BEGIN: 66, TRACE_EVENT_PHASE_END: 69,
    TRACE_EVENT_PHASE_NESTABLE_ASYNC_BEGIN: 98, TRACE_EVENT_PHASE_NESTABLE_ASYNC_END: 101,
    TRACE_EVENT_PHASE_NESTABLE_ASYNC_INSTANT: 110, TRACE_EVENT_PHASE_COUNTER: 67 },
};
