'use strict';
// A program that called itself too deeply can be told where.
const { Worker, isMainThread, parentPort } = require('worker_threads');

function again(n) { return again(n + 1) + 1; }
function made() { class Deep { constructor() { this.more = new Deep(); } } return new Deep(); }
const ask = (list) => list.map((one) => ask([one]));

function linesOf(work) {
  try {
    work();
  } catch (error) {
    return [error.name, error.message, ...error.stack.split('\n').slice(1, 4)
      .map((line) => line.replace(/\(.*\/|:\d+\)$|\/[^ ]*\/|:\d+$/g, ''))];
  }
  return [];
}

const all = () => [again, made, () => ask([1])].map((work) => linesOf(() => work(0)));
if (isMainThread) {
  console.log(all().map((lines) => lines.length));
  console.log(linesOf(() => again(0)));
  new Worker(__filename).on('message', (found) => console.log(found));
} else {
  parentPort.postMessage(linesOf(() => again(0)));
}
