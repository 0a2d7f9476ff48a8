// Keys that an engine with a known hash would put into one chain: they are chosen for a string hash
// of h * 263 + unit and for multiplications by the golden ratio.
// needs: hashing
'use strict';

const COUNT = 16384;
const BITS = 14;
const STEPS = [4, 1, -4, -2, -10, 6, 6, 7]; // what can be added to eight units

function texts(pieces) {
  return Array.from({ length: COUNT }, (_, i) => {
    let text = '';
    for (let bit = 0; bit < BITS; bit++) text += pieces[i >> bit & 1];
    return text;
  });
}

const block = (step) => STEPS.map((by) => String.fromCharCode(110 + by * step)).join('');
const wide = texts(['a\u0128', 'b!']); // one more in the first place, 263 less in the second
const narrow = texts([block(0), block(1)]);
const big = narrow.map((text) => BigInt(`0x${Buffer.from(text).reverse().toString('hex')}`));

const GOLDEN = 0x61c8864680b583ebn;
const integers = (() => {
  const buckets = new Map();
  for (let i = 0; i < 600; i++) {
    for (let j = 0; j < 370; j++) {
      const key = i * 3524578 + j * 5702887; // Fibonacci's numbers
      if (key >= 2 ** 31) break;
      const at = Number(BigInt.asUintN(64, BigInt(key + 2 ** 31) * GOLDEN) >> 48n);
      if (!buckets.has(at)) buckets.set(at, []);
      buckets.get(at).push(key);
    }
  }
  return [...buckets.values()].sort((a, b) => b.length - a.length)[0].slice(0, COUNT);
})();

// x * golden * golden has 16 zeros before its other 16 bits.
const shapes = (() => {
  const square = Number(BigInt.asUintN(32, 0x61c88647n * 0x61c88647n));
  let inverse = square;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(square, inverse));
  const found = [];
  for (let i = 0; i < 65536; i++) {
    const key = Math.imul(i, inverse) >>> 0;
    if (key < 2 ** 31) found.push(key);
  }
  return found.slice(0, COUNT);
})();

const doubles = Array.from({ length: COUNT }, (_, i) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, 0x40000000 + i);
  view.setUint32(4, 0x40000000 + i);
  return view.getFloat64(0);
});

// Others of the same size, in an order without a rule.
let state = 1;
const next = () => (state = Math.imul(state, 1103515245) + 12345 >>> 0);
const unit = (like) => String.fromCharCode((like > '\xff' ? 256 : 97) + (next() >>> 16) % 26);
const otherPieces = (like) => Array.from({ length: 256 }, () => like.replace(/[^]/g, unit));
function otherTexts(like) {
  const pieces = otherPieces(like);
  return Array.from({ length: COUNT }, () => {
    let text = '';
    for (let i = 0; i < BITS; i++) text += pieces[next() >>> 16 & 255];
    return text;
  });
}
const otherWide = otherTexts('a\u0128');
const otherNarrow = otherTexts(block(0));
const otherBig = (value) => BigInt.asUintN(value.toString(2).length, value * 0x9e3779b97f4a7c15n);

function cost(work, keys) {
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    work(keys);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
    if (least > 4e6) break;
  }
  return Math.max(least, 1000);
}

function compare(name, work, chosen, others) {
  const ratio = cost(work, chosen) / cost(work, others);
  console.log(name, ratio < 12 ? 'cost the same' : `cost ${ratio.toFixed()} times as much`);
}

const object = (keys) => JSON.parse(`{${keys.map((key) => `"${key}":0`).join()}}`);
const objects = (keys) => JSON.parse(`[${keys.map((key) => `{"${key}":0}`).join()}]`);
const set = (keys) => new Set(keys);
const map = (keys) => new Map(keys.map((key) => [key, key]));

compare('names of 16 bits', object, wide, otherWide);
compare('names of 8 bits', object, narrow, otherNarrow);
compare('numbers as names', object, integers, integers.map(() => next() >>> 1));
compare('shapes', objects, shapes, shapes.map(() => next() >>> 1));
compare('a set of texts', set, wide, otherWide);
compare('a map of texts', map, narrow, otherNarrow);
compare('a set of numbers', set, doubles, doubles.map(() => next() / 7));
compare('a map of large numbers', map, big, big.map(otherBig));
