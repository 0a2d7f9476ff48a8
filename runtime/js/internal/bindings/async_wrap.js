'use strict';
// Node's binding async_wrap: the numbers of kinds, and ends that are told by hand.

const ids = require('internal/async/ids');

module.exports = {
  Providers: { ...require('async_hooks').asyncWrapProviders },
  queueDestroyAsyncId: ids.destroyId,
  executionAsyncResource: ids.executionAsyncResource,
  clearAsyncIdStack: ids.unwind,
  pushAsyncContext(id, trigger, resource) { ids.enter({ id, trigger, resource }); },
  popAsyncContext(id) {
    if (ids.depth() === 0) return false;
    if (ids.current().id !== id) ids.corrupted(ids.current().id, id);
    ids.leave();
    return ids.depth() > 0;
  },
};
