'use strict';
// Every process is a primary: there are no workers that share its sockets.
const EventEmitter = require('events');
const { withCode } = require('internal/errors');

const cluster = new EventEmitter();
module.exports = Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker: class Worker extends EventEmitter {},
  workers: {},
  settings: {},
  SCHED_NONE: 1,
  SCHED_RR: 2,
  schedulingPolicy: 2,
  setupPrimary(options) { Object.assign(cluster.settings, options); },
  setupMaster(options) { Object.assign(cluster.settings, options); },
  fork() {
    throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      'cluster.fork is not available: phasor does not share sockets between processes');
  },
  disconnect(callback) { if (callback) process.nextTick(callback); },
});
