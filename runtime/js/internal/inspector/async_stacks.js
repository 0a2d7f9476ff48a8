'use strict';
// Where asynchronous work was asked for: what clients see below the frames of a pause, while one of
// them wants it.

const frames = require('internal/inspector/frames');
const { createHook, executionAsyncId } = require('async_hooks');

const MOST_FRAMES = 50;
const asked = new Map(); // number of the work -> { description, callFrames, parent }

const hook = createHook({
  init(id, type) {
    const trace = frames.stackTrace(MOST_FRAMES);
    const parent = asked.get(executionAsyncId());
    if (trace === undefined && parent === undefined) return;
    asked.set(id, { description: type === 'PROMISE' ? 'Promise.then' : type,
      callFrames: trace?.callFrames ?? [], parent });
  },
  destroy(id) { asked.delete(id); },
});

function keep(isWanted) {
  if (isWanted) {
    hook.enable();
  } else {
    hook.disable();
    asked.clear();
  }
}

function describe(entry, depth) {
  if (entry === undefined || depth <= 0) return undefined;
  const { description, callFrames } = entry;
  const parent = describe(entry.parent, depth - 1);
  return { description, callFrames, ...parent && { parent } };
}

// As the protocol has it; undefined if the program was not asked for by anything that is known.
const current = (depth) => describe(asked.get(executionAsyncId()), depth);

module.exports = { keep, current };
