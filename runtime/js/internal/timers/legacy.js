'use strict';
// enroll, unenroll, active and _unrefActive: timeouts of objects that keep their own callback.

const { invalidArgType, outOfRange } = require('internal/errors/errors');
const LONGEST = 2 ** 31 - 1;
const running = new WeakMap();

function duration(ms, name) {
  if (typeof ms !== 'number') throw invalidArgType(name, 'number', ms);
  if (ms < 0 || !Number.isFinite(ms)) throw outOfRange(name, 'a non-negative finite number', ms);
  if (ms <= LONGEST) return ms;
  process.emitWarning(`${ms} does not fit into a 32-bit signed integer.` +
    `\nTimer duration was truncated to ${LONGEST}.`, 'TimeoutOverflowWarning');
  return LONGEST;
}

let hasWarned = {};

function warnOnce(code, message) {
  if (hasWarned[code]) return;
  hasWarned = { ...hasWarned, [code]: true };
  process.emitWarning(message, 'DeprecationWarning', code);
}

function unenroll(item) {
  warnOnce('DEP0096', 'timers.unenroll() is deprecated. Please use clearTimeout instead.');
  stop(item);
  item._idleTimeout = -1;
}

function stop(item) {
  clearTimeout(item);
  const timer = running.get(item);
  if (timer !== undefined) clearTimeout(timer);
  running.delete(item);
  if (item._idleNext) item._idleNext = item._idlePrev = null;
}

function enroll(item, ms) {
  warnOnce('DEP0095', 'timers.enroll() is deprecated. Please use setTimeout instead.');
  ms = duration(ms, 'msecs');
  stop(item);
  item._idleTimeout = ms;
}

function begin(item, isReferenced) {
  if (item._idleTimeout < 0 || item._idleTimeout === undefined) return;
  stop(item);
  const timer = setTimeout(() => {
    running.delete(item);
    item._idleNext = item._idlePrev = null;
    if (typeof item._onTimeout === 'function') item._onTimeout();
  }, item._idleTimeout);
  if (!isReferenced) timer.unref();
  running.set(item, timer);
  item._idleStart = Math.floor(performance.now());
  item._idleNext = item._idlePrev = timer;
}

function active(item) {
  warnOnce('DEP0126', 'timers.active() is deprecated. Please use timeout.refresh() instead.');
  begin(item, true);
}

function _unrefActive(item) {
  warnOnce('DEP0127', 'timers._unrefActive() is deprecated. Please use timeout.refresh() instead.');
  begin(item, false);
}

module.exports = { duration, enroll, unenroll, active, _unrefActive };
