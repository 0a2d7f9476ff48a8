'use strict';
const hooks = require('async_hooks');

const lines = [];
const names = new Map(); // numbers by the order in which they come
const kinds = new Map();
function name(id) {
  if (!names.has(id)) names.set(id, names.size);
  return names.get(id);
}
const TYPES = ['Timeout', 'Immediate', 'TickObject', 'Microtask', 'PROMISE', 'OWN'];
const hook = hooks.createHook({
  init(id, type, trigger, resource) {
    if (!TYPES.includes(type)) return;
    kinds.set(id, type);
    lines.push(`init ${name(id)} ${type} by ${name(trigger)} ${typeof resource}`);
  },
  before(id) {
    if (!kinds.has(id) || kinds.get(id) === 'PROMISE') return;
    lines.push(`before ${name(id)} ${hooks.executionAsyncId() === id}`);
  },
  after(id) {
    if (kinds.has(id) && kinds.get(id) !== 'PROMISE') lines.push(`after ${name(id)}`);
  },
});
name(hooks.executionAsyncId());
hook.enable();
const own = new hooks.AsyncResource('OWN');
lines.push(own.runInAsyncScope((a, b) => a + b + (hooks.executionAsyncId() === own.asyncId()),
  null, 'a', 'b'));
setTimeout(() => {
  lines.push('timeout');
  clearImmediate(setImmediate(() => {}));
  setImmediate(() => {
    lines.push('immediate');
    setTimeout(end, 1);
  });
  queueMicrotask(() => lines.push('microtask'));
  process.nextTick(() => lines.push('tick'));
}, 1);
Promise.resolve(1).then(() => lines.push('then'));
function end() {
  hook.disable();
  console.log(lines.join('\n'));
}
