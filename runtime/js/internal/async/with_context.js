'use strict';
const gate = binding('gate');

// Calls a function in an async context: one immutable Map, storage -> value.
function withContext(context, work, self, args) {
  const before = gate.getContext();
  gate.setContext(context);
  try {
    return Reflect.apply(work, self, args);
  } finally {
    gate.setContext(before);
  }
}

module.exports = { withContext };
