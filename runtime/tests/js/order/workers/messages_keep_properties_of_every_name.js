// needs: bytes
// What is called "__proto__", what an array has beside its elements, and elements that are absent
// arrive as they are; nobody's prototype changes.
'use strict';

const { BroadcastChannel, MessageChannel, Worker, receiveMessageOnPort } =
  require('worker_threads');

function show(name, value) {
  const own = Object.getOwnPropertyDescriptor(value, '__proto__');
  console.log(name, Object.getOwnPropertyNames(value).join(), JSON.stringify(own),
    [Object.prototype, Array.prototype, Error.prototype].includes(Object.getPrototypeOf(value)));
}

const make = () => JSON.parse('{"a":1,"__proto__":{"x":1}}');
const named = (target) => Object.defineProperty(target, '__proto__',
  { value: 7, enumerable: true, writable: true, configurable: true });
const { port1, port2 } = new MessageChannel();
const pass = (value, transfer) => {
  port1.postMessage(value, transfer);
  return receiveMessageOnPort(port2).message;
};

show('object', pass(make()));
show('nested', pass({ in: [make()] }).in[0]);
show('in a map', pass(new Map([['k', make()]])).get('k'));
const buffer = new ArrayBuffer(8);
show('beside what moves', pass(Object.assign(make(), { buffer }), [buffer]));
show('array', pass(named(Object.assign([1, 2], { k: 3 }))));
show('array in a set', [...pass(new Set([named([5])]))][0]);
const circle = make();
circle.self = circle;
const round = pass(circle);
show('circle', round);
console.log(round.self === round);

const sparse = pass([, 1, , 2, , ]); // eslint-disable-line no-sparse-arrays
console.log(sparse.length, Object.keys(sparse).join(), 0 in sparse);
const mixed = [, 1]; // eslint-disable-line no-sparse-arrays
mixed.k = 2;
console.log(JSON.stringify(Object.entries(pass(mixed))), pass(mixed).length);
const twice = pass([mixed, mixed]);
console.log(twice[0] === twice[1], JSON.stringify(pass(['\0phasor', 'set', [1]])));
port1.close();

const from = new BroadcastChannel('names');
const to = new BroadcastChannel('names');
to.onmessage = ({ data }) => {
  show('broadcast', data);
  from.close();
  to.close();
  new Worker(`const { parentPort, workerData } = require('worker_threads');
    parentPort.postMessage([Object.getOwnPropertyNames(workerData), workerData]);`,
  { eval: true, workerData: make() }).on('message', ([names, data]) => {
    console.log(names.join());
    show('from a worker', data);
  });
};
from.postMessage(make());
