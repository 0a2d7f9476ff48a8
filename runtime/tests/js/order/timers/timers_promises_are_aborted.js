'use strict';
const timers = require('timers/promises');

const controller = new AbortController();
const { signal } = controller;
const report = (name) => (error) => console.log(name, error.name, error.code);
timers.setTimeout(60000, 0, { signal }).catch(report('timeout'));
timers.setImmediate(0, { signal }).catch(report('immediate'));
(async () => {
  for await (const _ of timers.setInterval(60000, 0, { signal })) {
    console.log('never');
  }
})().catch(report('interval'));
controller.abort();
console.log('aborted');
timers.setTimeout(1, 0, { signal }).catch(report('aborted before'));
timers.setTimeout(60000, 0, { ref: false });
