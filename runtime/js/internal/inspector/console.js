'use strict';
// What the program says to its console, for clients: as it happens, and what was said before.

const agent = require('internal/inspector/agent');
const frames = require('internal/inspector/frames');

const TYPES = {
  log: 'log', debug: 'debug', info: 'info', error: 'error', warn: 'warning', dir: 'dir',
  dirxml: 'dirxml', table: 'table', trace: 'trace', clear: 'clear', group: 'startGroup',
  groupCollapsed: 'startGroupCollapsed', groupEnd: 'endGroup', assert: 'assert', count: 'count',
  timeEnd: 'timeEnd', timeLog: 'log',
};
const MOST_KEPT = 1000;

let kept = [];
let depth = 0; // methods of the console call each other
let isWrapped = false;

function describe(session, { type, args, timestamp, trace }) {
  return {
    type, args: args.map((value) =>
      session.objects.wrap(value, { group: 'console', generatePreview: true })),
    executionContextId: 1, timestamp, ...trace && { stackTrace: trace },
  };
}

function tell(name, args) {
  if (name === 'assert') {
    if (args[0]) return;
    args = args.length > 1 ? args.slice(1) : ['console.assert'];
  }
  const message = { type: TYPES[name], args, timestamp: Date.now(),
    trace: frames.stackTrace() };
  kept.push(message);
  if (kept.length > MOST_KEPT) kept.shift();
  agent.tellAll('Runtime', 'consoleAPICalled', (session) => describe(session, message));
  agent.tellAll('Console', 'messageAdded', () => ({ message: { source: 'console-api',
    level: message.type, text: args.map(String).join(' ') } }));
}

// Methods that also tell the clients.
function wrap() {
  if (isWrapped) return;
  isWrapped = true;
  const { console } = require('internal/console/console');
  for (const name of Object.keys(TYPES)) {
    const method = console[name];
    const wrapped = { [name](...args) {
      if (depth === 0) tell(name, args);
      depth++;
      try {
        return Reflect.apply(method, this, args);
      } finally {
        depth--;
      }
    } }[name];
    console[name] = wrapped;
  }
  wrapProfile(console);
}

// console.profile() and profileEnd(): those who have enabled the profiler get what was seen.
function wrapProfile(console) {
  const running = [];
  console.profile = function profile(title = '') {
    if (![...agent.sessions].some((session) => session.enabled.has('Profiler'))) return;
    running.push(title);
    require('internal/inspector/profiler').start();
  };
  console.profileEnd = function profileEnd() {
    if (running.length === 0) return;
    const title = running.pop();
    const profile = require('internal/inspector/profiler').stop();
    const [{ location } = { location: { scriptId: '0', lineNumber: 0, columnNumber: 0 } }] =
      frames.frames();
    agent.tellAll('Profiler', 'consoleProfileFinished', () =>
      ({ id: `${running.length + 1}`, location, profile, title }));
  };
}

// A console that only clients see.
function makeConsole() {
  const made = {};
  for (const name of Object.keys(TYPES)) {
    made[name] = { [name](...args) { tell(name, args); } }[name];
  }
  for (const name of ['profile', 'profileEnd', 'time', 'timeStamp', 'context', 'countReset']) {
    made[name] = { [name]() {} }[name];
  }
  return made;
}

function replay(session) {
  for (const message of kept) {
    session.tell('Runtime.consoleAPICalled', describe(session, message));
  }
}

const commands = {
  Console: {
    enable(session) { session.enabled.add('Console'); },
    disable(session) { session.enabled.delete('Console'); },
    clearMessages() { kept = []; },
  },
};

module.exports = { commands, wrap, replay, makeConsole, clear: () => { kept = []; } };
