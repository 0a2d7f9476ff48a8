'use strict';
// What a program sees of threads and children that can't be made.
const { Worker } = require('worker_threads');
const { spawn } = require('child_process');
function say(what) {
  return (result) => { console.log(what, result?.code ?? result); };
}
function attempt(what, action) {
  try {
    action(say(what));
  } catch (error) {
    console.log(what, error.code);
  }
}
attempt('file', (done) => require('fs').readFile(__filename, done));
attempt('worker', (done) => new Worker('0', { eval: true }).on('error', done).on('exit', done));
attempt('child', (done) => spawn('true').on('error', done).on('exit', done));
