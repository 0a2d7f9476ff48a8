const { MessageChannel, receiveMessageOnPort } = require('worker_threads');
const { port1, port2 } = new MessageChannel();
port1.postMessage('first');
port1.postMessage({ second: 2 });
console.log(receiveMessageOnPort(port2), receiveMessageOnPort(port2), receiveMessageOnPort(port2));
port2.on('message', (message) => {
  console.log('message', message);
  process.nextTick(() => console.log('tick after', message));
  Promise.resolve().then(() => console.log('microtask after', message));
  if (message === 'last') port2.close();
});
port2.on('close', () => console.log('close 2'));
port1.postMessage('one');
port1.postMessage('last');
console.log('sent');
process.nextTick(() => console.log('tick'));
