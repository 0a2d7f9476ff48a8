const assert = require('assert');
const os = require('os');
const querystring = require('querystring');
const util = require('util');
const vm = require('vm');
const { performance, PerformanceEntry, PerformanceMark } = require('perf_hooks');
process.on('warning', () => {});

// Says what was thrown.
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    const { name, code, message, operator, generatedMessage } = error;
    return [name, code, message, operator, generatedMessage];
  }
};

console.log(attempt(() => assert.fail('a', 'b')));
console.log(attempt(() => assert.fail('a', 'b', 'c')));
console.log(attempt(() => assert.fail('a', 'b', undefined, 'is')));
console.log(attempt(() => assert.fail()), attempt(() => assert.fail(new TypeError('x'))));
console.log(attempt(() => assert(false, vm.runInNewContext('new SyntaxError("own")'))));
console.log(attempt(() => assert.strictEqual(1, 2, 'oh no')));
console.log(attempt(() => assert.deepStrictEqual({ a: 1 }, { a: 2 }, 'oh no')));
console.log(attempt(() => assert.equal(1, 2, 'oh no')));
console.log(attempt(() => assert.strictEqual(1, 2, '')));
assert.deepEqual(new Float64Array([0]), new Float64Array([-0]));
const tracker = new assert.CallTracker();
const called = tracker.calls();
called();
console.log(Object.isFrozen(tracker.getCalls(called)));
console.log(Object.isFrozen(tracker.getCalls(called)[0]));

console.log(util.format('%j %j', Symbol('a'), () => {}));
util.inspect.defaultOptions.numericSeparator = true;
console.log(util.format('%d %s %i %d %f', 1234567, 1234567, 1234567n, 1e21, 1234.5678));
util.inspect.defaultOptions.numericSeparator = false;
for (const end of ['\u0007', '\u001b\\', '\u009c']) {
  console.log(util.stripVTControlCharacters(`\u001b]8;;mailto:a@b${end}mail\u001b]8;;${end}`));
}
console.log(util.promisify(require('fs').exists).name);
const { keys } = Object;
Object.keys = () => { throw new Error('no'); };
console.log(util.inspect({ a: 1 }));
Object.keys = keys;

console.log(Buffer.from('ff').indexOf(Buffer.from('f'), 1, 'ucs2'),
  Buffer.from('abcd', 'ucs2').indexOf('c', 'ucs2'), Buffer.from('xaabb').indexOf('aa', 'ucs2'));
console.log(Buffer.byteLength(vm.runInNewContext('new ArrayBuffer(3)')));
function Fake() {}
Object.setPrototypeOf(Fake.prototype, ArrayBuffer.prototype);
console.log(attempt(() => Buffer.from(new Fake())));
console.log(querystring.parse('a+b=%63', null, null, { decodeURIComponent() { throw 1; } }));
console.log(attempt(() => os.getPriority(-1)));
console.table({ a: 1, b: { c: 2 } }, ['c']);

console.log(attempt(() => new PerformanceEntry()));
console.log(new PerformanceMark('m', { startTime: 3 }).startTime);
performance.mark('b', { startTime: 10, detail: { x: 1 } });
const { startTime, duration } = performance.measure('c', { end: 'b', duration: 11 });
console.log(startTime, duration, Object.prototype.toString.call(performance.mark('d')));
console.log(attempt(() => performance.mark('e', { startTime: -1 })));
performance.setResourceTimingBufferSize(1);
const resource = (time) => performance.markResourceTiming({ startTime: time, endTime: time,
  encodedBodySize: 0, decodedBodySize: 0 }, 'http://x', '', globalThis, '');
performance.addEventListener('resourcetimingbufferfull', ({ type }) => {
  console.log(type, performance.getEntriesByType('resource').length);
  performance.setResourceTimingBufferSize(2);
});
for (const time of [1, 2, 3]) resource(time);
console.log(performance.getEntriesByType('resource').length);
// After some turns, however late the timer is.
const later = (turns) => (turns > 0 ? setTimeout(later, 1, turns - 1) :
  console.log(performance.getEntriesByType('resource').length));
later(10);
