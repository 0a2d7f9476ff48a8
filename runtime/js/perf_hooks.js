'use strict';
const native = binding('process');
const { EventTarget } = require('internal/event_target');

const { PerformanceEntry, entries, observers, add, clear } =
  require('internal/performance_entry');
const { PerformanceResourceTiming, markResourceTiming } = require('internal/resource_timing');

const started = Date.now() - native.uptime() * 1000;

class PerformanceMark extends PerformanceEntry {}
class PerformanceMeasure extends PerformanceEntry {}

function eventLoopUtilization(first, second) {
  const now = native.uptime() * 1000;
  const idle = native.idleTime();
  const make = (a, i) => ({ idle: i, active: a, utilization: a + i > 0 ? a / (a + i) : 0 });
  if (second) return make(first.active - second.active, first.idle - second.idle);
  const current = make(Math.max(0, now - idle), idle);
  return first ? make(current.active - first.active, current.idle - first.idle) : current;
}

class Histogram {
  #values = [];

  record(value) { this.#values.push(Number(value)); }

  reset() { this.#values = []; }

  get count() { return this.#values.length; }

  get min() { return this.#values.length ? Math.min(...this.#values) : 9223372036854776000; }

  get max() { return this.#values.length ? Math.max(...this.#values) : 0; }

  get mean() { return this.#values.reduce((a, b) => a + b, 0) / this.#values.length; }

  get stddev() {
    const { mean } = this;
    return Math.sqrt(this.#values.reduce((a, b) => a + (b - mean) ** 2, 0) / this.#values.length);
  }

  get exceeds() { return 0; }

  percentile(rank) {
    const sorted = [...this.#values].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(sorted.length * rank / 100) - 1)] ?? 0;
  }

  get percentiles() {
    return new Map([0, 50, 75, 87.5, 93.75, 100].map((p) => [p, this.percentile(p)]));
  }
}

class EventLoopDelay extends Histogram {
  #timer;
  #resolution;

  constructor(resolution) {
    super();
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer) return false;
    let last = native.uptime();
    this.#timer = setInterval(() => {
      const now = native.uptime();
      this.record(Math.max(1, Math.round((now - last) * 1e9)));
      last = now;
    }, this.#resolution);
    this.#timer.unref();
    return true;
  }

  disable() {
    if (!this.#timer) return false;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }
}

class Performance extends EventTarget {
  get timeOrigin() { return started; }

  now() { return native.uptime() * 1000; }

  mark(name, options = {}) {
    const entry = new PerformanceMark(`${name}`, 'mark', options.startTime ?? this.now(), 0,
      options.detail ?? null);
    native.mark(entry.name, 0, 0);
    return add(entry);
  }

  measure(name, first, second) {
    const at = (mark, otherwise) => {
      if (mark === undefined) return otherwise;
      if (typeof mark === 'number') return mark;
      const found = entries.findLast((one) => one.entryType === 'mark' && one.name === mark);
      if (!found) {
        const { DOMException } = require('internal/dom_exception');
        throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError');
      }
      return found.startTime;
    };
    const options =
      first !== null && typeof first === 'object' ? first : { start: first, end: second };
    const end = at(options.end, this.now());
    const start = at(options.start, 0);
    const entry = new PerformanceMeasure(name, 'measure', start, options.duration ?? end - start,
      options.detail ?? null);
    native.mark(`${name}`, 1, +entry.duration);
    return add(entry);
  }

  clearMarks(name) { clear('mark', name); }

  clearMeasures(name) { clear('measure', name); }

  clearResourceTimings(name) { clear('resource', name); }

  setResourceTimingBufferSize() {} // there is no limit

  getEntries() { return [...entries]; }

  getEntriesByName(name, type) {
    return entries.filter((one) => one.name === name && (!type || one.entryType === type));
  }

  getEntriesByType(type) { return entries.filter((one) => one.entryType === type); }

  timerify(work) {
    const self = this;
    return function timed(...args) {
      const start = self.now();
      const result = new.target ? Reflect.construct(work, args, new.target)
        : Reflect.apply(work, this, args);
      add(new PerformanceEntry(work.name, 'function', start, self.now() - start, args));
      return result;
    };
  }

  eventLoopUtilization(a, b) { return eventLoopUtilization(a, b); }

  get nodeTiming() {
    return { name: 'node', entryType: 'node', startTime: 0, duration: this.now(),
      idleTime: native.idleTime() };
  }

  toJSON() {
    return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin,
      eventLoopUtilization: eventLoopUtilization() };
  }
}

class PerformanceObserver {
  #callback;
  #types = [];
  #waiting = [];

  constructor(callback) { this.#callback = callback; }

  wants(type) { return this.#types.includes(type); }

  take(entry) {
    if (!this.wants(entry.entryType)) return;
    this.#waiting.push(entry);
    if (this.#waiting.length > 1) return;
    setImmediate(() => {
      const list = this.#waiting;
      this.#waiting = [];
      this.#callback({
        getEntries: () => list,
        getEntriesByName: (name) => list.filter((one) => one.name === name),
        getEntriesByType: (type) => list.filter((one) => one.entryType === type),
      }, this);
    });
  }

  observe({ entryTypes, type }) {
    this.#types = entryTypes ?? [type];
    observers.add(this);
  }

  disconnect() { observers.delete(this); }
}

Object.assign(Performance.prototype, { markResourceTiming });

const performance = new Performance();
module.exports = {
  performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver,
  PerformanceResourceTiming, Performance, eventLoopUtilization,
  monitorEventLoopDelay: ({ resolution = 10 } = {}) => new EventLoopDelay(resolution),
  createHistogram: () => new Histogram(),
  constants: {},
};
