'use strict';
// Histograms of perf_hooks: whole numbers, counted by value.

const { invalidArgType, outOfRange, validateInteger, validateNumber, validateObject,
  withCode } = require('internal/validators');

const SMALLEST = 9223372036854775807n; // the minimum of nothing
const kMake = Symbol('kMake');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

class Counts {
  values = new Map(); // value -> how often
  count = 0;
  exceeds = 0;
  min = Infinity;
  max = 0;
  last = 0n; // of recordDelta

  constructor(lowest = 1, highest = Number.MAX_SAFE_INTEGER) {
    this.lowest = lowest;
    this.highest = highest;
  }

  record(value) {
    if (value > this.highest || value < 1) {
      this.exceeds++;
      return;
    }
    this.values.set(value, (this.values.get(value) ?? 0) + 1);
    this.count++;
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  reset() {
    this.values.clear();
    this.count = this.exceeds = this.max = 0;
    this.min = Infinity;
  }

  sorted() { return [...this.values].sort(([a], [b]) => a - b); }

  percentile(rank) {
    const wanted = Math.max(1, Math.ceil(this.count * rank / 100));
    let seen = 0;
    for (const [value, times] of this.sorted()) {
      seen += times;
      if (seen >= wanted) return value;
    }
    return 0;
  }
}

function checkRank(rank) {
  validateNumber(rank, 'percentile');
  if (Number.isNaN(rank) || rank <= 0 || rank > 100) {
    throw outOfRange('percentile', '> 0 && <= 100', rank);
  }
}

class Histogram {
  #counts;

  constructor(key, counts) {
    if (key !== kMake) throw withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    this.#counts = counts;
  }

  static countsOf(value) {
    return value !== null && typeof value === 'object' && #counts in value
      ? value.#counts : undefined;
  }

  get count() { return this.#counts.count; }

  get countBigInt() { return BigInt(this.count); }

  get exceeds() { return this.#counts.exceeds; }

  get exceedsBigInt() { return BigInt(this.exceeds); }

  get min() { return Number(this.minBigInt); }

  get minBigInt() { return this.count === 0 ? SMALLEST : BigInt(this.#counts.min); }

  get max() { return this.#counts.max; }

  get maxBigInt() { return BigInt(this.max); }

  get mean() {
    let sum = 0;
    for (const [value, times] of this.#counts.values) sum += value * times;
    return sum / this.count;
  }

  get stddev() {
    const { mean } = this;
    let sum = 0;
    for (const [value, times] of this.#counts.values) sum += times * (value - mean) ** 2;
    return Math.sqrt(sum / this.count);
  }

  percentile(rank) {
    checkRank(rank);
    return this.#counts.percentile(rank);
  }

  percentileBigInt(rank) { return BigInt(this.percentile(rank)); }

  get percentiles() {
    const found = new Map();
    for (let rank = 0, step = 50; this.count > 0 && rank < 100; rank += step, step /= 2) {
      found.set(rank, this.#counts.percentile(rank));
      if (found.get(rank) === this.max) break;
    }
    return found.set(100, this.#counts.percentile(100));
  }

  get percentilesBigInt() {
    return new Map([...this.percentiles].map(([rank, value]) => [rank, BigInt(value)]));
  }

  reset() { this.#counts.reset(); }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev, percentiles } = this;
    return { count, min, max, mean, exceeds, stddev,
      percentiles: Object.fromEntries(percentiles) };
  }

  [kInspect](depth, options, inspect) {
    if (depth < 0) return `[${this.constructor.name}]`;
    const { min, max, mean, exceeds, stddev, count, percentiles } = this;
    return `Histogram ${inspect({ min, max, mean, exceeds, stddev, count, percentiles },
      { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }
}

class RecordableHistogram extends Histogram {
  record(value) {
    if (typeof value !== 'bigint') validateInteger(value, 'val', 1);
    Histogram.countsOf(this).record(Number(value));
  }

  recordDelta() {
    const counts = Histogram.countsOf(this);
    const now = process.hrtime.bigint();
    if (counts.last !== 0n) counts.record(Number(now - counts.last));
    counts.last = now;
  }

  add(other) {
    const counts = Histogram.countsOf(other);
    if (!(other instanceof RecordableHistogram)) {
      throw invalidArgType('other', 'RecordableHistogram', other);
    }
    for (const [value, times] of counts.values) {
      for (let i = 0; i < times; i++) Histogram.countsOf(this).record(value);
    }
    Histogram.countsOf(this).exceeds += counts.exceeds;
  }
}

class IntervalHistogram extends Histogram {
  #timer;
  #resolution;

  constructor(key, counts, resolution) {
    super(key, counts);
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer) return false;
    let last = process.hrtime.bigint();
    this.#timer = setInterval(() => {
      const now = process.hrtime.bigint();
      Histogram.countsOf(this).record(Number(now - last));
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

function bound(value, name, least) {
  if (typeof value === 'bigint') return Number(value);
  validateInteger(value, name, least);
  return value;
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  const low = bound(lowest, 'options.lowest', 1);
  const high = bound(highest, 'options.highest', 2 * low);
  validateInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(kMake, new Counts(low, high));
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new IntervalHistogram(kMake, new Counts(), resolution);
}

const isHistogram = (value) => value instanceof RecordableHistogram;

module.exports = { createHistogram, monitorEventLoopDelay, isHistogram };
