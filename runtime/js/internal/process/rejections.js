'use strict';
// Promises that are rejected and that nobody handles.

const gate = binding('gate');
const ids = require('internal/async/ids');

class UnhandledPromiseRejection extends Error {
  code = 'ERR_UNHANDLED_REJECTION';
}
Object.defineProperty(UnhandledPromiseRejection.prototype, 'name',
  { value: 'UnhandledPromiseRejection', writable: true, configurable: true });

const EXPLAINED = 'This error originated either by throwing inside of an async function without ' +
  'a catch block, or by rejecting a promise which was not handled with .catch().';

function shown(reason) {
  if (typeof reason === 'string') return reason;
  if (typeof reason !== 'object' || reason === null) {
    return require('internal/inspect/inspect').inspect(reason);
  }
  return `#<${reason.constructor?.name || 'Object'}>`;
}

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'stack') ||
    binding('util').isError(value);
}

function asError(reason) {
  if (isErrorLike(reason)) return reason;
  return new UnhandledPromiseRejection(
    `${EXPLAINED} The promise rejected with the reason "${shown(reason)}".`);
}

function warn(info) {
  const { makeWarning } = require('internal/process/warnings');
  const name = 'UnhandledPromiseRejectionWarning';
  const { reason } = info;
  const warning = makeWarning('Unhandled promise rejection. ' + EXPLAINED +
    ' To terminate the node process on unhandled promise rejection, use the CLI flag ' +
    '`--unhandled-rejections=strict` (see ' +
    'https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). ' +
    `(rejection id: ${info.uid})`, name, undefined, undefined, warn);
  const hasStack = isErrorLike(reason);
  if (hasStack) warning.stack = reason.stack;
  process.emitWarning(hasStack ? reason.stack : shown(reason), name);
  process.emitWarning(warning);
}

// What happens to a rejection, by --unhandled-rejections. True: go on as after any other turn.
const MODES = {
  throw(info, promise, raise) {
    if (!process.emit('unhandledRejection', info.reason, promise)) raise(info.reason);
  },
  strict(info, promise, raise) {
    raise(info.reason);
    if (!process.emit('unhandledRejection', info.reason, promise)) warn(info);
  },
  warn(info, promise) {
    process.emit('unhandledRejection', info.reason, promise);
    warn(info);
  },
  'warn-with-error-code'(info, promise) {
    if (process.emit('unhandledRejection', info.reason, promise)) return;
    warn(info);
    process.exitCode = 1;
  },
  none(info, promise) {
    process.emit('unhandledRejection', info.reason, promise);
  },
};

function mode() {
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS) return MODES.throw;
  return MODES[require('internal/boot/options').last('unhandled-rejections') ?? 'throw'];
}

function tellHandled({ promise, info }) {
  const { makeWarning } = require('internal/process/warnings');
  const warning = makeWarning(
    `Promise rejection was handled asynchronously (rejection id: ${info.uid})`,
    'PromiseRejectionHandledWarning', undefined, undefined, tellHandled);
  warning.id = info.uid;
  if (!process.emit('rejectionHandled', promise)) process.emitWarning(warning);
}

// Called when there are some to tell of; what it gives takes the first of them and tells.
function setup(setHook, onUncaught) {
  const pending = new Map();
  const reported = new WeakMap();
  let lateHandled = [];
  let uid = 0;
  let handle;

  function onRejection(handled, promise, reason, context = gate.getContext()) {
    module.exports.watcher?.(handled);
    if (!handled) {
      pending.set(promise, { reason, uid: ++uid, context });
      return;
    }
    if (pending.delete(promise)) return;
    const info = reported.get(promise);
    if (info !== undefined) {
      reported.delete(promise);
      lateHandled.push({ promise, info });
    }
  }
  setHook('rejection', (handled, promise, reason) => onRejection(handled, promise, reason));

  function raise(reason) {
    if (onUncaught(asError(reason), true)) binding('timers').setImmediate(() => {});
  }

  function report() {
    const late = lateHandled;
    lateHandled = [];
    late.forEach(tellHandled);
    let any = late.length > 0;
    for (const [promise, info] of [...pending]) {
      if (!pending.delete(promise)) continue;
      any = true;
      reported.set(promise, info);
      handle ??= mode();
      gate.setContext(info.context);
      if (ids.isCounting()) ids.run(ids.workOf(promise), handle, undefined, [info, promise, raise]);
      else handle(info, promise, raise);
    }
    return any || pending.size > 0;
  }
  setHook('rejections', report);
  return (first) => {
    for (const [promise, one] of first) onRejection(false, promise, ...one);
    return report();
  };
}

module.exports = { setup, watcher: undefined };
