// A message with an ArrayBuffer that was transferred before.
'use strict';

const { MessageChannel, receiveMessageOnPort } = require('worker_threads');

const { port1, port2 } = new MessageChannel();
const gone = new ArrayBuffer(8);
const view = new Uint8Array(gone);
structuredClone(gone, { transfer: [gone] });

function send(name, value, list) {
  try {
    port1.postMessage(value, list);
    console.log(name, receiveMessageOnPort(port2));
  } catch (error) {
    console.log(name, error.name, error.code, error.message, receiveMessageOnPort(port2));
  }
}

send('alone', gone);
send('inside', { list: [1, { gone }] });
send('a view', view);
send('listed', gone, [gone]);
send('listed and inside', { gone, again: gone }, [gone]);
send('listed, not sent', 1, [gone]);
