'use strict';
// The domain HeapProfiler: snapshots, but no profiles: nobody is told of allocations.

const { ProtocolError } = require('internal/inspector/objects');

function refuse() {
  throw new ProtocolError('Heap profiles are not available in this engine');
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

const commands = {
  HeapProfiler: {
    enable(session) { session.enabled.add('HeapProfiler'); },
    disable(session) { session.enabled.delete('HeapProfiler'); },
    collectGarbage() { binding('process').gc(); },
    takeHeapSnapshot,
    startTrackingHeapObjects: refuse,
    stopTrackingHeapObjects: refuse,
    startSampling: refuse,
    stopSampling: refuse,
    getSamplingProfile: refuse,
    getObjectByHeapObjectId: refuse,
    getHeapObjectId: refuse,
    addInspectedHeapObject: refuse,
  },
};

module.exports = { commands };
