'use strict';
// The domain HeapProfiler: the engine keeps no list of its objects that could be shown.

const { ProtocolError } = require('internal/inspector/objects');

function refuse() {
  throw new ProtocolError('Heap snapshots and heap profiles are not available in this engine');
}

const commands = {
  HeapProfiler: {
    enable(session) { session.enabled.add('HeapProfiler'); },
    disable(session) { session.enabled.delete('HeapProfiler'); },
    collectGarbage() { binding('process').gc(); },
    takeHeapSnapshot: refuse,
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
