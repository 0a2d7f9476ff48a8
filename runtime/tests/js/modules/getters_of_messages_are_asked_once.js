'use strict';
const { MessageChannel } = require('worker_threads');
const v8 = require('v8');

let asked = 0;
const message = { first: 1, get counted() { return ++asked; } };
function ask(name, way) {
  asked = 0;
  try {
    way();
  } catch (error) {
    console.log(name, error.name, error.message);
  }
  console.log(name, asked);
}

const { port1, port2 } = new MessageChannel();
const moved = new ArrayBuffer(8);
ask('structuredClone', () => structuredClone(message));
ask('serialize', () => v8.serialize(message));
ask('postMessage', () => port1.postMessage(message));
ask('postMessage with a list', () => port1.postMessage({ moved, message }, [moved]));
ask('a getter that gives a symbol',
  () => port1.postMessage({ message, get odd() { return Symbol('odd'); } }));
const { port2: inner } = new MessageChannel();
ask('a port beside a getter', () => port1.postMessage({ inner, message }, [inner]));
let count = 0;
port2.on('message', (value) => {
  console.log(Object.keys(value), value.message ?? value);
  if (++count === 3) port2.close();
});
