// Four slow file operations are under way. How long does a small one take?
// Opening a FIFO for reading lasts until somebody opens it for writing: a slow disk at our command.
// UV_THREADPOOL_SIZE=5 changes the answer.
'use strict';
const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'starved-pool-'));
const fifo = path.join(folder, 'fifo');
let writer;
let slowDone = 0;
let smallDone = false;

execFile('mkfifo', [fifo], function begin(error) {
  if (error) throw error;
  for (let i = 0; i < 4; i++) fs.open(fifo, 'r', onSlowOpen);
  fs.stat(__filename, onSmallStat);
  setTimeout(look, 200);
  setTimeout(release, 400);
});

function onSmallStat() {
  smallDone = true;
  console.log('the small request is done');
}

function look() {
  console.log('200 ms: the loop is free, this timer runs');
  console.log('200 ms: the small request is done:', smallDone);
}

function release() {
  console.log('400 ms: the slow ones may end');
  writer = fs.openSync(fifo, 'r+');
}

function onSlowOpen(error, fd) {
  if (error) throw error;
  fs.closeSync(fd);
  if (++slowDone < 4) return;
  fs.closeSync(writer);
  fs.rmSync(folder, { recursive: true });
}

process.on('exit', function onExit() {
  console.log('all four slow ones are done, and the small one:', slowDone === 4 && smallDone);
});
