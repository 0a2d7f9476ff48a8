'use strict';
// Node's name internal/worker.

const threads = require('worker_threads');

// What a worker inherits of its parent's data.
function assignEnvironmentData(data) {
  if (data === undefined) return;
  for (const [key, value] of data) threads.setEnvironmentData(key, value);
}

module.exports = { ...threads, assignEnvironmentData };
