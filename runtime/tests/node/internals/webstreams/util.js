'use strict';
// Node's name internal/webstreams/util.

const base = require('internal/web/base');

module.exports = {
  kState: base.state, isPromisePending: base.isPromisePending, customInspect: base.show,
  setPromiseHandled: base.handled, resetQueue: base.resetQueue, dequeueValue: base.dequeueValue,
  enqueueValueWithSize: base.enqueueValueWithSize,
};
