'use strict';
// v8.promiseHooks, and the one hook of the engine that they and async_hooks share.

const gate = binding('gate');
const { invalidArgType } = require('internal/errors/errors');

const KINDS = ['init', 'before', 'after', 'settled']; // as the engine counts them
let watchers = [];

function dispatch(kind, promise, parent) {
  const name = KINDS[kind];
  for (const watcher of watchers) {
    if (watcher[name] === undefined) continue;
    try {
      if (kind === 0) watcher.init(promise, parent);
      else watcher[name](promise);
    } catch (error) {
      gate.raise(error);
    }
  }
}

// Gives a function that ends it.
function watch(watcher) {
  watchers = [...watchers, watcher];
  if (watchers.length === 1) gate.setPromiseHook(dispatch);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    watchers = watchers.filter((one) => one !== watcher);
    if (watchers.length === 0) gate.setPromiseHook(undefined);
  };
}

// A hook that makes promises itself would never end.
function check(hook, name) {
  const kind = typeof hook === 'function' ? Object.prototype.toString.call(hook) : '';
  if (kind !== '[object Function]') throw invalidArgType(`${name}Hook`, 'Function', hook);
}

function createHook({ init, before, after, settled } = {}) {
  const given = { init, before, after, settled };
  for (const name of KINDS) if (given[name] !== undefined) check(given[name], name);
  return watch(given);
}

function only(name) {
  return (hook) => {
    check(hook, name);
    return watch({ [name]: hook });
  };
}

module.exports = {
  watch,
  promiseHooks: {
    createHook, onInit: only('init'), onBefore: only('before'), onAfter: only('after'),
    onSettled: only('settled'),
  },
};
