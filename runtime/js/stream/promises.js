'use strict';
const { run } = require('internal/streams/pipeline');
const { finished: eos } = require('internal/streams/end');

function pipeline(...streams) {
  return new Promise((resolve, reject) => {
    let options = {};
    const last = streams[streams.length - 1];
    if (last && typeof last === 'object' && typeof last.on !== 'function' &&
        !last[Symbol.asyncIterator] && !last[Symbol.iterator] &&
        require('internal/streams/web').kindOf(last) === undefined) options = streams.pop();
    if (streams.length === 1 && Array.isArray(streams[0])) [streams] = streams;
    run(streams, (error, value) => (error ? reject(error) : resolve(value)), options);
  });
}

function finished(stream, options = {}) {
  if (options?.cleanup !== undefined) {
    require('internal/errors/validators').validateBoolean(options.cleanup, 'cleanup');
  }
  return new Promise((resolve, reject) => {
    const cleanup = eos(stream, options, (error) => {
      if (options.cleanup) cleanup();
      if (error) reject(error);
      else resolve();
    });
  });
}

module.exports = { pipeline, finished };
