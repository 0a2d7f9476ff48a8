'use strict';
// Node's name internal/async_hooks: numbers of work and calls of the hooks by hand.

const ids = require('internal/async/ids');
const { withCode } = require('internal/errors/errors');
const { kAsyncId } = ids;

ids.executionAsyncId(); // counts from now on: sockets have numbers

const isChecked = require('internal/boot/options').isOn('force-async-hooks-checks') !== false;

function check(id, what) {
  if (isChecked && (!Number.isSafeInteger(id) || id < -1)) {
    ids.fail(withCode(RangeError, 'ERR_INVALID_ASYNC_ID', `Invalid ${what} value: ${id}`));
  }
}

function emitInit(id, type, trigger, resource) {
  check(id, 'asyncId');
  trigger ??= ids.trigger();
  check(trigger, 'triggerAsyncId');
  if (isChecked && (typeof type !== 'string' || type === '')) {
    ids.fail(withCode(TypeError, 'ERR_ASYNC_TYPE', `Invalid name for async "type": ${type}`));
  }
  ids.tell('init', id, type, trigger, resource);
}

function emitBefore(id, trigger, resource = {}) {
  check(id, 'asyncId');
  check(trigger, 'triggerAsyncId');
  ids.enter({ id, trigger, resource, isManual: true });
}

function emitAfter(id) {
  check(id, 'asyncId');
  if (isChecked && ids.current().id !== id) ids.corrupted(ids.current().id, id);
  ids.leave();
}

function emitDestroy(id) {
  check(id, 'asyncId');
  if (id > 0 && ids.some.destroy > 0) ids.destroyId(id);
}

// A socket has the number of its handle, until it is given another.
Object.defineProperty(require('net').Socket.prototype, kAsyncId, {
  configurable: true,
  enumerable: false,
  get() { return this._handle ? ids.workOf(this._handle).id : undefined; },
  set(value) {
    Object.defineProperty(this, kAsyncId,
      { value, writable: true, configurable: true, enumerable: true });
  },
});

module.exports = {
  emitInit, emitBefore, emitAfter, emitDestroy,
  newAsyncId: ids.newId,
  getDefaultTriggerAsyncId: ids.trigger,
  defaultTriggerAsyncIdScope: (id, call, ...args) => ids.below(id, call, ...args),
  executionAsyncId: ids.executionAsyncId,
  triggerAsyncId: ids.triggerAsyncId,
  executionAsyncResource: ids.executionAsyncResource,
  getOrSetAsyncId(object) {
    if (Object.hasOwn(object, kAsyncId)) return object[kAsyncId];
    return object[kAsyncId] = ids.newId();
  },
  hasAsyncIdStack: () => ids.depth() > 0,
  clearAsyncIdStack: ids.unwind,
  enabledHooksExist: ids.hasHooks,
  initHooksExist: () => ids.some.init > 0,
  afterHooksExist: () => ids.some.after > 0,
  destroyHooksExist: () => ids.some.destroy > 0,
  symbols: {
    async_id_symbol: kAsyncId, trigger_async_id_symbol: Symbol('trigger_async_id_symbol'),
    init_symbol: Symbol('init'), before_symbol: Symbol('before'), after_symbol: Symbol('after'),
    destroy_symbol: Symbol('destroy'), promise_resolve_symbol: Symbol('promiseResolve'),
    owner_symbol: Symbol('owner_symbol'),
  },
};
