'use strict';
// BroadcastChannel in one thread and between threads; postMessageToThread.
const { BroadcastChannel, Worker, postMessageToThread, receiveMessageOnPort } =
  require('worker_threads');

const first = new BroadcastChannel('news');
const second = new BroadcastChannel('news');
const other = new BroadcastChannel('other');
first.postMessage({ early: true });
console.log(receiveMessageOnPort(second), receiveMessageOnPort(other));
other.close();

const worker = new Worker(`
  const { BroadcastChannel, threadId, parentPort } = require('worker_threads');
  const channel = new BroadcastChannel('news');
  channel.onmessage = ({ data }) => {
    channel.postMessage('heard ' + data);
    channel.close();
  };
  parentPort.once('message', () => {});
  process.on('workerMessage', (value, source) => parentPort.postMessage([value, source]));
  channel.postMessage('ready');
`, { eval: true });
worker.on('message', (message) => console.log('direct', message));

const heard = [];
second.onmessage = ({ data }) => {
  heard.push(data);
  if (data === 'ready') {
    postMessageToThread(worker.threadId, 'hello').then(() => second.postMessage('this'));
  } else {
    second.close();
    first.close();
    worker.postMessage('bye');
  }
};
worker.on('exit', async (code) => {
  console.log(code, heard);
  await postMessageToThread(12345, 'x').catch((error) => console.log(error.code, error.message));
  try {
    first.postMessage(1);
  } catch (error) {
    console.log(error.name, error.message);
  }
});
