'use strict';
// What programs ask of V8 and another engine can answer.

const { withCode } = require('internal/errors/errors');
const { validateFunction, validateObject, validateString } = require('internal/errors/validators');

const heap = () => require('internal/v8/heap_snapshot');

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

const SPACES = ['read_only_space', 'new_space', 'old_space', 'code_space', 'shared_space',
  'new_large_object_space', 'large_object_space', 'code_large_object_space',
  'shared_large_object_space'];

// V8's spaces, of which this engine has one.
function getHeapSpaceStatistics() {
  const { heapTotal, heapUsed } = process.memoryUsage();
  return SPACES.map((name) => {
    const isOurs = name === 'old_space';
    return {
      space_name: name,
      space_size: isOurs ? heapTotal : 0,
      space_used_size: isOurs ? heapUsed : 0,
      space_available_size: isOurs ? Math.max(0, heapTotal - heapUsed) : 0,
      physical_space_size: isOurs ? heapTotal : 0,
    };
  });
}

const serdes = () => require('internal/serdes/classes');

const flags = [];

// There is nothing to switch; what was asked for counts for the tag below.
function setFlagsFromString(text) {
  validateString(text, 'flags');
  flags.push(text);
  const asked = /^--(no-?)?expose[-_]gc$/.exec(text.trim());
  if (asked !== null) require('internal/vm/contexts').exposeGc(asked[1] === undefined);
}

// Another number for each engine and its flags.
function cachedDataVersionTag() {
  let hash = 17;
  for (const c of `${process.versions.quickjs}\n${flags.join('\n')}`)
    hash = Math.imul(hash, 31) + c.charCodeAt(0) | 0;
  return hash >>> 0;
}

let isWarned = false;

function queryObjects(ctor, options = {}) {
  validateFunction(ctor, 'constructor');
  validateObject(options, 'options');
  const format = options.format || 'count';
  if (format !== 'count' && format !== 'summary') {
    require('internal/errors/validators').validateOneOf(format, 'options.format',
      [undefined, 'count', 'summary']);
  }
  if (!isWarned) {
    isWarned = true;
    process.emitWarning('v8.queryObjects() is an experimental feature and might change at any time',
      'ExperimentalWarning');
  }
  const found = binding('heap').below(ctor.prototype);
  if (found === undefined) {
    throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      'v8.queryObjects is not available: this engine does not show its objects');
  }
  if (format === 'count') return found.length;
  const { inspect } = require('internal/inspect/inspect');
  return found.map((one) => inspect(one, { depth: 0 }));
}

// The engine counts references and searches for cycles now and then; it tells nobody when.
class GCProfiler {
  #start;

  start() { this.#start ??= Date.now(); }

  stop() {
    if (this.#start === undefined) return undefined;
    const data = { version: 1, startTime: this.#start, statistics: [], endTime: Date.now() };
    this.#start = undefined;
    return data;
  }
}

module.exports = {
  cachedDataVersionTag,
  getHeapSnapshot: (options) => heap().get(options),
  getHeapStatistics,
  getHeapSpaceStatistics,
  getHeapCodeStatistics: () => ({ code_and_metadata_size: 0, bytecode_and_metadata_size: 0,
    external_script_source_size: 0, cpu_profiler_metadata_size: 0 }),
  setFlagsFromString,
  get Serializer() { return serdes().Serializer; },
  get Deserializer() { return serdes().Deserializer; },
  get DefaultSerializer() { return serdes().DefaultSerializer; },
  get DefaultDeserializer() { return serdes().DefaultDeserializer; },
  deserialize: (buffer) => serdes().deserialize(buffer),
  takeCoverage: () => require('internal/coverage/files').write(),
  stopCoverage: () => require('internal/coverage/files').stop(),
  serialize: (value) => serdes().serialize(value),
  writeHeapSnapshot: (filename, options) => heap().write(filename, options),
  get promiseHooks() { return require('internal/async/promise_hooks').promiseHooks; },
  queryObjects,
  get startupSnapshot() { return require('internal/v8/startup_snapshot'); },
  setHeapSnapshotNearHeapLimit: (limit) => heap().setNearLimit(limit),
  GCProfiler,
};
