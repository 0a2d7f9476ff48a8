'use strict';
// What programs ask of V8 and another engine can answer.

const { withCode } = require('internal/errors');

function getHeapStatistics() {
  const { heapTotal, heapUsed, rss, external } = process.memoryUsage();
  return {
    total_heap_size: heapTotal,
    total_heap_size_executable: 0,
    total_physical_size: rss,
    total_available_size: require('os').freemem(),
    used_heap_size: heapUsed,
    heap_size_limit: require('os').totalmem(),
    malloced_memory: heapTotal,
    peak_malloced_memory: heapTotal,
    does_zap_garbage: 0,
    number_of_native_contexts: 1,
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: external ?? 0,
  };
}

// The engine's own format: what serialize wrote, deserialize of the same version reads.
function serialize(value) {
  return binding('vm').write(require('internal/transfer').pack(value, []));
}

function deserialize(bytes) {
  if (!ArrayBuffer.isView(bytes)) {
    throw require('internal/errors').invalidArgType('buffer',
      ['Buffer', 'TypedArray', 'DataView'], bytes);
  }
  return require('internal/transfer').unpack(binding('vm').read(bytes));
}

function absent(name) {
  return () => {
    throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      `v8.${name} is not available: phasor's engine is not V8`);
  };
}

module.exports = {
  cachedDataVersionTag: () => 0,
  getHeapStatistics,
  getHeapSpaceStatistics: () => [],
  getHeapCodeStatistics: () => ({ code_and_metadata_size: 0, bytecode_and_metadata_size: 0,
    external_script_source_size: 0, cpu_profiler_metadata_size: 0 }),
  getHeapSnapshot: absent('getHeapSnapshot'),
  writeHeapSnapshot: absent('writeHeapSnapshot'),
  setFlagsFromString() {},
  takeCoverage() {},
  stopCoverage() {},
  serialize,
  deserialize,
  startupSnapshot: {
    isBuildingSnapshot: () => false,
    addSerializeCallback: absent('startupSnapshot.addSerializeCallback'),
    addDeserializeCallback: absent('startupSnapshot.addDeserializeCallback'),
    setDeserializeMainFunction: absent('startupSnapshot.setDeserializeMainFunction'),
  },
  setHeapSnapshotNearHeapLimit() {},
  get promiseHooks() { return require('internal/promise_hooks').promiseHooks; },
};
