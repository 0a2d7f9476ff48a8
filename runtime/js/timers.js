'use strict';
const native = binding('timers');

function Timeout() {}
const { timeoutPrototype, immediatePrototype } = native;
const { state, toNumber, setRepeat } = timeoutPrototype;
delete timeoutPrototype.state;
delete timeoutPrototype.toNumber;
delete timeoutPrototype.setRepeat;
Object.defineProperty(timeoutPrototype, 'constructor',
  { value: Timeout, writable: true, configurable: true });
Timeout.prototype = timeoutPrototype;
Object.defineProperty(timeoutPrototype, Symbol.toPrimitive,
  { value: toNumber, writable: true, configurable: true });
Object.defineProperty(timeoutPrototype, Symbol.for('nodejs.util.inspect.custom'), {
  configurable: true,
  writable: true,
  value(depth, options) {
    const now = state.call(this);
    const shown = {
      _idleTimeout: now.idleTimeout, _idlePrev: null, _idleNext: null,
      _idleStart: now.idleStart, _onTimeout: now.onTimeout, _timerArgs: undefined,
      _repeat: now.repeat, _destroyed: now.destroyed,
    };
    Object.setPrototypeOf(shown, timeoutPrototype);
    const { inspect } = require('internal/inspect/inspect');
    return inspect(shown, { ...options, customInspect: false, depth });
  },
});

// Node's own fields, for those who look at them.
function field(name, set) {
  const key = name.slice(1);
  Object.defineProperty(timeoutPrototype, name, {
    configurable: true,
    enumerable: false,
    get() { return this === timeoutPrototype ? undefined : state.call(this)[key]; },
    set(value) {
      if (set !== undefined) set.call(this, value);
      else Object.defineProperty(this, name, { value, writable: true, configurable: true });
    },
  });
}
for (const name of ['_idleStart', '_destroyed']) field(name);
// Those who set these mean that the timeout is not to come (again).
const shadow = (timeout, name, value) =>
  Object.defineProperty(timeout, name, { value, writable: true, configurable: true });
field('_idleTimeout', function setIdleTimeout(value) {
  shadow(this, '_idleTimeout', value);
  if (value < 0) clearTimeout(this);
});
field('_onTimeout', function setOnTimeout(value) {
  shadow(this, '_onTimeout', value);
  if (typeof value !== 'function') clearTimeout(this);
});
field('_repeat', setRepeat);

function Immediate() {}
Object.defineProperty(immediatePrototype, 'constructor',
  { value: Immediate, writable: true, configurable: true });
Immediate.prototype = immediatePrototype;
const { isDestroyed } = immediatePrototype;
delete immediatePrototype.isDestroyed;
if (isDestroyed !== undefined) {
  Object.defineProperty(immediatePrototype, '_destroyed', {
    configurable: true,
    enumerable: false,
    get() { return this === immediatePrototype ? undefined : isDestroyed.call(this); },
  });
}

const dispose = Symbol.dispose;
if (dispose) {
  timeoutPrototype[dispose] = function end() { native.clearTimeout(this); };
  immediatePrototype[dispose] = function end() { native.clearImmediate(this); };
}

const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } =
  native;

module.exports = {
  setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate,
};
for (const name of ['_unrefActive', 'active', 'unenroll', 'enroll']) {
  module.exports[name] = { [name](...args) {
    return require('internal/timers/legacy')[name](...args);
  } }[name];
}
Object.defineProperty(module.exports, 'promises', {
  enumerable: true, configurable: true, get: () => require('timers/promises'),
});

const promisify = Symbol.for('nodejs.util.promisify.custom');
for (const name of ['setTimeout', 'setImmediate']) {
  Object.defineProperty(module.exports[name], promisify, {
    enumerable: true, configurable: true, get: () => require('timers/promises')[name],
  });
}
