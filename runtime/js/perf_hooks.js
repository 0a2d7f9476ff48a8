'use strict';
const native = binding('process');
const { EventTarget } = require('internal/events/target');
const { missingArgs } = require('internal/errors/errors');

const { KEY, PerformanceEntry, entries, add, clear, resources, tag, withDetail } =
  require('internal/performance/entry');
const { PerformanceObserver, PerformanceObserverEntryList } =
  require('internal/performance/observer');
const { PerformanceResourceTiming, markResourceTiming } =
  require('internal/performance/resource_timing');

const started = native.startedOn();

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) throw missingArgs('name');
    const { detail: given, startTime } = options ?? {};
    const detail = given ?? null;
    if (startTime !== undefined) checkTime(startTime);
    super(KEY, { name: `${name}`, entryType: 'mark', startTime: startTime ?? native.uptime() * 1000,
      duration: 0, detail: detail === null ? null : structuredClone(detail) });
  }
}
class PerformanceMeasure extends PerformanceEntry {}
for (const Class of [PerformanceMark, PerformanceMeasure]) {
  tag(Class);
  withDetail(Class);
}

function checkTime(startTime) {
  const { withCode } = require('internal/errors/errors');
  const { validateNumber } = require('internal/errors/validators');
  validateNumber(startTime, 'startTime');
  if (startTime < 0) {
    throw withCode(TypeError, 'ERR_PERFORMANCE_INVALID_TIMESTAMP',
      `${startTime} is not a valid timestamp`);
  }
}

// [milliseconds since the loop began, of which idle]; undefined before that
function loopTimes() {
  const start = native.loopStart();
  return start < 0 ? undefined : [native.uptime() * 1000 - start, native.idleTime()];
}

function eventLoopUtilization(first, second) {
  return require('internal/performance/loop_utilization').utilization(loopTimes, first, second);
}

// When the process reached what: milliseconds since it began, -1 for what is still to come.
class PerformanceNodeTiming extends PerformanceEntry {
  constructor() {
    super(KEY, { name: 'node', entryType: 'node', startTime: 0, duration: 0 });
    const own = (name, get) => Object.defineProperty(this, name,
      { enumerable: true, configurable: true, get });
    own('name', () => 'node');
    own('entryType', () => 'node');
    own('startTime', () => 0);
    own('duration', () => native.uptime() * 1000);
    own('nodeStart', () => 0.001);
    own('v8Start', () => 0.002);
    own('environment', () => 0.003);
    own('bootstrapComplete', () => 0.004);
    own('loopStart', () => native.loopStart());
    own('loopExit', () => (process._exiting ? native.uptime() * 1000 : -1));
    own('idleTime', () => native.idleTime());
    own('uvMetricsInfo', () => {
      const [loopCount, events, eventsWaiting] = native.metricsInfo();
      return { loopCount, events, eventsWaiting };
    });
  }

  toJSON() {
    const { uvMetricsInfo, ...others } = this;
    return others;
  }
}

let nodeTiming;
const MILESTONES = ['nodeStart', 'v8Start', 'environment', 'bootstrapComplete', 'loopStart',
  'loopExit'];

const inOrder = (list) => [...list].sort((a, b) => a.startTime - b.startTime);

class Performance extends EventTarget {
  get timeOrigin() { return started; }

  now() { return native.uptime() * 1000; }

  mark(name, options = {}) {
    const entry = new PerformanceMark(name, options);
    native.mark(entry.name, 0, 0);
    return add(entry);
  }

  measure(name, first, second) {
    const at = (mark, otherwise) => {
      if (mark === undefined) return otherwise;
      if (typeof mark === 'number') return mark;
      if (MILESTONES.includes(mark)) return this.nodeTiming[mark];
      const found = entries.findLast((one) => one.entryType === 'mark' && one.name === mark);
      if (!found) {
        const { DOMException } = require('internal/errors/dom_exception');
        throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError');
      }
      return found.startTime;
    };
    const options =
      first !== null && typeof first === 'object' ? first : { start: first, end: second };
    const { duration } = options;
    const hasBoth = options.start !== undefined && duration !== undefined;
    const end = at(options.end, hasBoth ? at(options.start) + duration : this.now());
    const start = at(options.start, duration === undefined ? 0 : end - duration);
    const entry = new PerformanceMeasure(KEY, { name, entryType: 'measure', startTime: start,
      duration: duration ?? end - start, detail: options.detail ?? null });
    native.mark(`${name}`, 1, +entry.duration);
    return add(entry);
  }

  clearMarks(name) { clear('mark', name === undefined ? name : `${name}`); }

  clearMeasures(name) { clear('measure', name === undefined ? name : `${name}`); }

  clearResourceTimings(name) { clear('resource', name); }

  setResourceTimingBufferSize(size) {
    resources.most = Number.isInteger(size) && size > 0 ? size : 0;
  }

  getEntries() { return inOrder(entries); }

  getEntriesByName(name, type) {
    if (arguments.length === 0) throw missingArgs('name');
    name = `${name}`;
    return inOrder(entries.filter((one) => one.name === name &&
      (type === undefined || one.entryType === type)));
  }

  getEntriesByType(type) {
    if (arguments.length === 0) throw missingArgs('type');
    return inOrder(entries.filter((one) => one.entryType === type));
  }

  timerify(...args) { return require('internal/performance/timerify').timerify(...args); }

  eventLoopUtilization(a, b) { return eventLoopUtilization(a, b); }

  get nodeTiming() { return nodeTiming ??= new PerformanceNodeTiming(); }

  toJSON() {
    return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin,
      eventLoopUtilization: eventLoopUtilization() };
  }
}

// Garbage is collected otherwise here: these are names that programs compare with.
const constants = { NODE_PERFORMANCE_GC_MAJOR: 4, NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8, NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0, NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64 };
['GC', 'HTTP', 'HTTP2', 'NET', 'DNS'].forEach((name, value) =>
  Object.defineProperty(constants, `NODE_PERFORMANCE_ENTRY_TYPE_${name}`, { value }));
['TIME_ORIGIN_TIMESTAMP', 'TIME_ORIGIN', 'ENVIRONMENT', 'NODE_START', 'V8_START', 'LOOP_START',
  'LOOP_EXIT', 'BOOTSTRAP_COMPLETE'].forEach((name, value) =>
  Object.defineProperty(constants, `NODE_PERFORMANCE_MILESTONE_${name}`, { value }));

Object.assign(Performance.prototype, { markResourceTiming });

const performance = new Performance();
resources.tell = () => performance.dispatchEvent(new Event('resourcetimingbufferfull'));
module.exports = {
  performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver,
  PerformanceObserverEntryList,
  PerformanceResourceTiming, Performance, eventLoopUtilization,
  monitorEventLoopDelay: (options) =>
    require('internal/performance/histogram').monitorEventLoopDelay(options),
  createHistogram: (options) => require('internal/performance/histogram').createHistogram(options),
  constants,
};
