'use strict';
// What async_hooks is told of promises.

const ids = require('internal/async/ids');

const { works, some } = ids;
const lost = new FinalizationRegistry((id) => { if (some.destroy > 0) ids.destroyId(id); });

function init(promise, parent) {
  if (some.init === 0 && some.destroy === 0) return;
  const above = parent === undefined ? undefined : ids.workOf(parent, ids.trigger());
  const work = ids.made('PROMISE', promise, above?.id);
  work.resource = undefined; // a promise is not to live for its number
  work.context = undefined;
  works.set(promise, work);
  if (some.destroy > 0) lost.register(promise, work.id);
}

function before(promise) {
  const { id, trigger } = ids.workOf(promise);
  ids.enter({ id, trigger, resource: promise });
}

function after(promise) {
  const work = ids.workOf(promise);
  if (ids.current().id === work.id) ids.leave();
  else ids.tell('after', work.id);
}

function settled(promise) {
  if (some.promiseResolve > 0) ids.tell('promiseResolve', ids.workOf(promise).id);
}

module.exports = { init, before, after, settled };
