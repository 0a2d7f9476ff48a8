'use strict';
// What an HTTP client notes of a request is an entry of its own, kept until it is cleared.
const { performance, PerformanceResourceTiming } = require('perf_hooks');

const { markResourceTiming } = performance;
const info = { startTime: 1, redirectStartTime: 0, redirectEndTime: 0, postRedirectStartTime: 2,
  finalServiceWorkerStartTime: 0, finalNetworkRequestStartTime: 3, finalNetworkResponseStartTime: 4,
  endTime: 9, encodedBodySize: 10, decodedBodySize: 20,
  finalConnectionTimingInfo: { domainLookupStartTime: 1, domainLookupEndTime: 2,
    connectionStartTime: 3, connectionEndTime: 4, secureConnectionStartTime: 5,
    ALPNNegotiatedProtocol: 'h2' } };
const entry = markResourceTiming(info, 'https://a.test/', 'fetch', globalThis, '', {}, 200);
console.log(entry.toJSON(), entry instanceof PerformanceResourceTiming);
const bare = markResourceTiming({ startTime: 1, endTime: 2, encodedBodySize: 5 }, 'b', 'fetch',
  globalThis, 'local', {}, 200);
console.log(bare.transferSize, bare.duration, bare.connectStart, bare.nextHopProtocol);
console.log(performance.getEntriesByType('resource').map((one) => one.name));
performance.clearResourceTimings('b');
console.log(performance.getEntries().length);
performance.clearResourceTimings();
performance.timerify(function work() {})();
console.log(performance.getEntries().length);
try {
  new PerformanceResourceTiming();
} catch (error) {
  console.log(error.code, error.message);
}
