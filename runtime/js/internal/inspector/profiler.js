'use strict';
// The domain Profiler: where the program spends its time, by looking at its stack now and then.

const native = binding('inspector');
const scripts = require('internal/inspector/scripts');
const { ProtocolError } = require('internal/inspector/objects');

const OUTERMOST = ['<eval>', '<anonymous>', 'Object.<anonymous>'];
let running = 0;
let interval = 1000; // microseconds

function describeNode([, hitCount, name, file, line, column], i) {
  const isOutermost = name === undefined || OUTERMOST.includes(name);
  const url = file === undefined ? '' : scripts.urlOf(file);
  return {
    id: i + 1,
    callFrame: { functionName: isOutermost ? (file === undefined ? name : '(anonymous)') : name,
      scriptId: scripts.byFile.get(file)?.id ?? '0', url, lineNumber: line - 1,
      columnNumber: column - 1 },
    hitCount,
  };
}

function makeProfile([rows, buffer, startTime, endTime]) {
  const nodes = rows.map(describeNode);
  rows.forEach(([parent], i) => {
    if (parent >= 0) (nodes[parent].children ??= []).push(i + 1);
  });
  const pairs = new Int32Array(buffer);
  const samples = [];
  const timeDeltas = [];
  for (let i = 0; i < pairs.length; i += 2) {
    samples.push(pairs[i] + 1);
    timeDeltas.push(pairs[i + 1]);
  }
  return { nodes, startTime, endTime, samples, timeDeltas };
}

function start() {
  if (running++ === 0) native.startProfile(interval);
}

function stop() {
  const profile = makeProfile(native.stopProfile());
  // Another client goes on with a new one.
  if (--running > 0) native.startProfile(interval);
  return profile;
}

const checkEnabled = (session) => {
  if (!session.enabled.has('Profiler')) throw new ProtocolError('Profiler is not enabled');
};

const coverage = () => require('internal/coverage/coverage');

function stopCoverage(session) {
  if (session.state.coverage !== undefined) coverage().stop();
  session.state.coverage = undefined;
}

// Only whether it ran, or only the whole function, if no more was asked for.
function limit({ functionName, ranges, isBlockCoverage }, callCount, detailed) {
  const shown = detailed ? ranges : ranges.slice(0, 1);
  return {
    functionName, isBlockCoverage: detailed && isBlockCoverage,
    ranges: callCount ? shown
      : shown.map((range) => ({ ...range, count: Math.min(range.count, 1) })),
  };
}

const commands = {
  Profiler: {
    enable(session) { session.enabled.add('Profiler'); },
    disable(session) {
      session.enabled.delete('Profiler');
      stopCoverage(session);
      if (session.state.profiles) stop();
      session.state.profiles = false;
    },
    setSamplingInterval(session, params) {
      if (running > 0) throw new ProtocolError('Cannot change sampling interval when profiling.');
      interval = params.interval;
    },
    start(session) {
      checkEnabled(session);
      if (session.state.profiles) return;
      session.state.profiles = true;
      start();
    },
    stop(session) {
      if (!session.state.profiles) throw new ProtocolError('No recording profiles found');
      session.state.profiles = false;
      return { profile: stop() };
    },
    startPreciseCoverage(session, { callCount = false, detailed = false } = {}) {
      checkEnabled(session);
      if (session.state.coverage === undefined && !coverage().start())
        throw new ProtocolError('Precise coverage is not there: this engine counts nothing.');
      session.state.coverage = { callCount, detailed };
      return { timestamp: performance.now() / 1000 };
    },
    stopPreciseCoverage(session) {
      checkEnabled(session);
      stopCoverage(session);
    },
    takePreciseCoverage(session) {
      if (session.state.coverage === undefined)
        throw new ProtocolError('Precise coverage has not been started.');
      const { callCount, detailed } = session.state.coverage;
      const result = coverage().take({ clears: true }).map(({ scriptId, url, functions }) =>
        ({ scriptId, url, functions: functions.map((one) => limit(one, callCount, detailed)) }));
      return { result, timestamp: performance.now() / 1000 };
    },
    getBestEffortCoverage: () => ({ result: coverage().take()
      .map(({ scriptId, url, functions }) => ({ scriptId, url,
        functions: functions.map((one) => limit(one, true, false)) })) }),
  },
};

module.exports = { commands, start, stop, setInterval: (given) => { interval = given; } };
