'use strict';
// performance.markResourceTiming: what an HTTP client notes of a request that is done.
const { KEY, PerformanceEntry, add, show, tag } = require('internal/performance/entry');
const { withCode } = require('internal/errors/errors');

const HEAD_SIZE = 300; // bytes that a head counts, whatever its length is

// Where each property stands in the timing info of the Fetch standard, and of its connection.
const OF_FETCH = { workerStart: 'finalServiceWorkerStartTime', redirectStart: 'redirectStartTime',
  redirectEnd: 'redirectEndTime', fetchStart: 'postRedirectStartTime' };
const OF_CONNECTION = { domainLookupStart: 'domainLookupStartTime',
  domainLookupEnd: 'domainLookupEndTime', connectStart: 'connectionStartTime',
  connectEnd: 'connectionEndTime', secureConnectionStart: 'secureConnectionStartTime' };
const OF_ANSWER = { requestStart: 'finalNetworkRequestStartTime',
  responseStart: 'finalNetworkResponseStartTime', responseEnd: 'endTime' };

class PerformanceResourceTiming extends PerformanceEntry {
  constructor(key, url, initiatorType, info, cacheMode) {
    if (key !== PerformanceResourceTiming) {
      throw withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    }
    const { startTime, endTime, encodedBodySize, decodedBodySize } = info;
    const connection = info.finalConnectionTimingInfo;
    const parts = { name: url, entryType: 'resource', startTime, duration: endTime - startTime,
      initiatorType, nextHopProtocol: connection?.ALPNNegotiatedProtocol };
    for (const name of Object.keys(OF_FETCH)) parts[name] = info[OF_FETCH[name]];
    for (const name of Object.keys(OF_CONNECTION)) parts[name] = connection?.[OF_CONNECTION[name]];
    for (const name of Object.keys(OF_ANSWER)) parts[name] = info[OF_ANSWER[name]];
    parts.transferSize = cacheMode === 'local' ? 0 : encodedBodySize + HEAD_SIZE;
    super(KEY, Object.assign(parts, { encodedBodySize, decodedBodySize }));
  }
}
show(PerformanceResourceTiming, ['name', 'startTime', 'duration', 'initiatorType',
  'nextHopProtocol', ...Object.keys(OF_FETCH), ...Object.keys(OF_CONNECTION),
  ...Object.keys(OF_ANSWER), 'transferSize', 'encodedBodySize', 'decodedBodySize']);
Object.defineProperty(PerformanceResourceTiming.prototype, 'toJSON',
  { value: PerformanceEntry.prototype.toJSON, writable: true, configurable: true });

function markResourceTiming(info, requestedUrl, initiatorType, global, cacheMode) {
  if (cacheMode !== '' && cacheMode !== 'local') {
    throw withCode(Error, 'ERR_INTERNAL_ASSERTION',
      'cache must be an empty string or \'local\'');
  }
  return add(new PerformanceResourceTiming(PerformanceResourceTiming, requestedUrl, initiatorType,
    info, cacheMode));
}

tag(PerformanceResourceTiming);

module.exports = { PerformanceResourceTiming, markResourceTiming };
