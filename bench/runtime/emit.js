'use strict';
const EventEmitter = require('events');

const emitter = new EventEmitter();
let sum = 0;
emitter.on('event', (value) => { sum += value; });
const start = process.hrtime.bigint();
for (let i = 0; i < 3e6; i++) emitter.emit('event', 1);
console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, sum);
