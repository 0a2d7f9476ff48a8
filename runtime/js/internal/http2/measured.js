'use strict';
// What observers of 'http2' hear of a session and of its streams when they close. Sessions that
// nobody observes when they begin are not measured.

const { KEY, add, isObserved } = require('internal/performance/entry');
const PerformanceNodeEntry = require('internal/performance/node_entry');

class Http2Entry extends PerformanceNodeEntry {
  constructor(name, startTime, detail) {
    super(KEY, { name, entryType: 'http2', startTime, duration: performance.now() - startTime,
      detail });
    // Where they were before there were details.
    for (const key of Object.keys(detail)) {
      Object.defineProperty(this, key, { value: detail[key], enumerable: false });
    }
  }
}

Object.defineProperty(Http2Entry, 'name', { value: PerformanceNodeEntry.name });

class Measure {
  constructor() {
    this.began = performance.now();
    this.bytesRead = 0;
    this.streams = 0;
    this.mostAtOnce = 0;
    this.streamTime = 0;
    this.pingTime = 0;
  }

  static of() { return isObserved('http2') ? new Measure() : null; }

  streamBegins(session, stream) {
    this.streams++;
    this.mostAtOnce = Math.max(this.mostAtOnce, session._streams.size);
    stream._times = { began: performance.now(), head: 0, read: 0, sent: 0, bytesRead: 0,
      bytesWritten: 0 };
  }

  streamEnds(stream) {
    const times = stream._times;
    if (times === undefined) return;
    stream._times = undefined;
    this.streamTime += performance.now() - times.began;
    const since = (moment) => (moment === 0 ? 0 : moment - times.began);
    add(new Http2Entry('Http2Stream', times.began, { bytesRead: times.bytesRead,
      bytesWritten: times.bytesWritten, id: stream.id, timeToFirstByte: since(times.read),
      timeToFirstByteSent: since(times.sent), timeToFirstHeader: since(times.head) }));
  }

  sessionEnds(session, [framesReceived, framesSent]) {
    add(new Http2Entry('Http2Session', this.began, { bytesWritten: session._sentBytes,
      bytesRead: this.bytesRead, framesReceived, framesSent, maxConcurrentStreams: this.mostAtOnce,
      pingRTT: this.pingTime,
      streamAverageDuration: this.streams === 0 ? 0 : this.streamTime / this.streams,
      streamCount: this.streams, type: session.type === 0 ? 'server' : 'client' }));
  }
}

// The first moment of a kind counts.
function note(stream, kind) {
  const times = stream?._times;
  if (times !== undefined && times[kind] === 0) times[kind] = performance.now();
}

module.exports = { Measure, note };
