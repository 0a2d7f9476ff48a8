'use strict';
const status = require('fs').readFileSync('/proc/self/status', 'utf8');
console.log(`${/VmRSS:\s*(\d+)/.exec(status)[1] / 1024} MB`);
