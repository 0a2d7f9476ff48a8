'use strict';
// Node's own domains, and Schema.

const agent = require('internal/inspector/agent');
const { ProtocolError } = require('internal/inspector/objects');

const NAMES = ['Runtime', 'Debugger', 'Profiler', 'HeapProfiler', 'Schema'];

const commands = {
  NodeRuntime: {
    enable(session) {
      session.enabled.add('NodeRuntime');
      if (agent.isWaiting) session.tell('NodeRuntime.waitingForDebugger', {});
    },
    disable(session) {
      session.enabled.delete('NodeRuntime');
      session.state.tellsEnd = false;
    },
    notifyWhenWaitingForDisconnect(session, { enabled }) {
      session.state.tellsEnd = enabled === true;
    },
  },
  NodeTracing: {
    getCategories: () => ({ categories: ['node', 'node.async_hooks', 'node.perf', 'v8'] }),
    start() { throw new ProtocolError('Tracing is not available: phasor trace records programs'); },
    stop() {},
  },
  Schema: {
    getDomains: () => ({ domains: NAMES.map((name) => ({ name, version: '1.3' })) }),
  },
};

module.exports = { commands };
