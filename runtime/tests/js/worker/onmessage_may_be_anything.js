// The first value starts the port; one that is no function hears nothing and, later, holds nothing.
const { MessageChannel } = require('worker_threads');
for (const value of [null, undefined, 5, 'x', {}, true, () => {}]) {
  const { port1 } = new MessageChannel();
  port1.onmessage = value;
  console.log(typeof port1.onmessage, port1.hasRef());
  port1.onmessage = () => {};
  console.log(port1.hasRef());
  port1.onmessage = value;
  console.log(port1.hasRef());
  port1.close();
}
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => console.log('never');
port1.onmessage = 5;
port2.postMessage(1);
setTimeout(() => {
  port1.onmessage = (event) => {
    console.log(event.data);
    if (event.data === 2) port1.close();
  };
  port2.postMessage(2);
}, 20);
