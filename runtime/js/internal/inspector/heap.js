'use strict';
// The domain HeapProfiler: snapshots, and profiles of what is alive by who made it.

const { ProtocolError } = require('internal/inspector/objects');

function refuse() {
  throw new ProtocolError('Objects of the heap have no numbers in this engine');
}

const CHUNK = 102400; // characters of a message

function takeHeapSnapshot(session, params) {
  const { take } = require('internal/v8/heap_snapshot');
  const text = take({ exposeNumericValues: Boolean(params?.captureNumericValue) }).toString();
  if (params?.reportProgress) {
    const total = text.length;
    session.tell('HeapProfiler.reportHeapSnapshotProgress', { done: total, total, finished: true });
  }
  for (let at = 0; at < text.length; at += CHUNK)
    session.tell('HeapProfiler.addHeapSnapshotChunk', { chunk: text.slice(at, at + CHUNK) });
}

const allocations = () => require('internal/inspector/allocations');

function checkSampling(session) {
  if (!session.state.sampling)
    throw new ProtocolError('V8 sampling heap profiler was not started.');
}

function startSampling(session, params) {
  if (session.state.sampling) return;
  const interval = params?.samplingInterval;
  if (interval !== undefined && !(interval > 0))
    throw new ProtocolError('Invalid sampling interval');
  allocations().start(interval);
  session.state.sampling = true;
}

function stopSampling(session) {
  checkSampling(session);
  session.state.sampling = false;
  return { profile: allocations().stop() };
}

const commands = {
  HeapProfiler: {
    enable(session) { session.enabled.add('HeapProfiler'); },
    disable(session) {
      session.enabled.delete('HeapProfiler');
      if (session.state.sampling) stopSampling(session);
    },
    collectGarbage() { binding('process').gc(); },
    takeHeapSnapshot,
    // Who made an object is not in the snapshot; startSampling tells that.
    startTrackingHeapObjects() {},
    stopTrackingHeapObjects: takeHeapSnapshot,
    startSampling, stopSampling,
    getSamplingProfile(session) {
      checkSampling(session);
      return { profile: allocations().profile() };
    },
    getObjectByHeapObjectId: refuse,
    getHeapObjectId: refuse,
    addInspectedHeapObject: refuse,
  },
};

module.exports = { commands };
