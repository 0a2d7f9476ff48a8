'use strict';
// Histograms of perf_hooks: whole numbers, counted by their first figures.

const { invalidArgType, outOfRange, withCode } = require('internal/errors/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/errors/validators');

const SMALLEST = 9223372036854775807n; // the minimum of nothing
const kMake = Symbol('kMake');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

/*
 * How often values came. Those that have the wanted number of figures in common are one: they are
 * counted under the smallest of them. So there is an end to the room that a histogram takes.
 */
class Counts {
  values = new Map(); // smallest of them -> how often
  rows = undefined; // [key, how many up to it], sorted; made when they are asked for
  count = 0;
  exceeds = 0;
  lowestSeen = Infinity;
  highestSeen = 0;
  last = 0n; // of recordDelta

  constructor(lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3) {
    this.highest = highest;
    this.unit = 2 ** Math.floor(Math.log2(lowest));
    this.told = 2 ** Math.ceil(Math.log2(2 * 10 ** figures)); // how many values are told apart
  }

  // How many values are one with this one.
  widthOf(value) {
    let width = this.unit;
    while (value / width >= this.told) width *= 2;
    return width;
  }

  firstOf(value) { return value - value % this.widthOf(value); }

  lastOf(value) { return this.firstOf(value) + this.widthOf(value) - 1; }

  middleOf(value) { return this.firstOf(value) + Math.floor(this.widthOf(value) / 2); }

  record(value, times = 1) {
    if (value > this.highest || value < 1) {
      this.exceeds++;
      return;
    }
    const key = this.firstOf(value);
    this.rows = undefined;
    this.values.set(key, (this.values.get(key) ?? 0) + times);
    this.count += times;
    this.lowestSeen = Math.min(this.lowestSeen, key);
    this.highestSeen = Math.max(this.highestSeen, key);
  }

  reset() {
    this.values.clear();
    this.rows = undefined;
    this.count = this.exceeds = this.highestSeen = 0;
    this.lowestSeen = Infinity;
  }

  makeRows() {
    let sum = 0;
    return [...this.values].sort(([a], [b]) => a - b).map(([key, times]) => [key, sum += times]);
  }

  // The first key up to which there are as many.
  keyAt(wanted) {
    this.rows ??= this.makeRows();
    let low = 0;
    for (let high = this.rows.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.rows[middle][1] < wanted) low = middle + 1;
      else high = middle;
    }
    return this.rows[low]?.[0] ?? 0;
  }

  percentile(rank) {
    return this.lastOf(this.keyAt(Math.max(1, Math.floor(this.count * rank / 100 + 0.5))));
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

  get minBigInt() { return this.count === 0 ? SMALLEST : BigInt(this.#counts.lowestSeen); }

  get max() {
    return this.count === 0 ? 0 : this.#counts.lastOf(this.#counts.highestSeen);
  }

  get maxBigInt() { return BigInt(this.max); }

  get mean() {
    const counts = this.#counts;
    let sum = 0;
    for (const [value, times] of counts.values) sum += counts.middleOf(value) * times;
    return sum / this.count;
  }

  get stddev() {
    const { mean } = this;
    const counts = this.#counts;
    let sum = 0;
    for (const [value, times] of counts.values) sum += times * (counts.middleOf(value) - mean) ** 2;
    return Math.sqrt(sum / this.count);
  }

  percentile(rank) {
    checkRank(rank);
    return this.#counts.percentile(rank);
  }

  percentileBigInt(rank) { return BigInt(this.percentile(rank)); }

  get percentiles() {
    const counts = this.#counts;
    const found = new Map();
    const highest = this.count > 0 ? counts.highestSeen : 0;
    for (let rank = 0, step = 50; this.count > 0 && rank < 100; rank += step, step /= 2) {
      found.set(rank, counts.keyAt(Math.max(1, Math.ceil(this.count * rank / 100))));
      if (found.get(rank) === highest) break;
    }
    return found.set(100, highest);
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
      Histogram.countsOf(this).record(Math.max(1, value), times);
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
  return new RecordableHistogram(kMake, new Counts(low, high, figures));
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new IntervalHistogram(kMake, new Counts(1000), resolution);
}

const isHistogram = (value) => value instanceof RecordableHistogram;

module.exports = { createHistogram, monitorEventLoopDelay, isHistogram };
