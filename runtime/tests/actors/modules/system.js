'use strict';
const path = require('path');
const actors = require('phasor:actors');

const EXAMPLE = path.join(__dirname, 'example.js');
const LISTENER = path.join(__dirname, 'listener.js');

// A system, and what its actors report, in order.
function openSystem(workers = 2) {
  const channel = `${process.pid} ${Math.random()}`;
  const reports = new BroadcastChannel(channel);
  const waiting = [];
  const told = [];
  reports.onmessage = ({ data }) => {
    const next = waiting.shift();
    if (next !== undefined) next(data);
    else told.push(data);
  };
  return {
    system: actors.open({ workers }),
    data: { channel },
    report: () => told.length > 0 ? Promise.resolve(told.shift()) :
      new Promise((resolve) => { waiting.push(resolve); }),
    close() { reports.close(); return this.system.close(); },
  };
}

module.exports = { openSystem, EXAMPLE, LISTENER };
