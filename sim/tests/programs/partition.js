'use strict';
// A stream outlives a cut way if it heals soon, datagrams do not cross it, and connects hang.
const sim = require('phasor:sim');
const server = sim.host('server', () => {
  require('net').createServer((socket) => {
    socket.on('error', (error) => console.log('server', error.code));
    socket.pipe(socket);
  }).listen(7);
});
const client = sim.host('client', () => {
  const sim = require('phasor:sim');
  const net = require('net');
  const socket = net.connect(7, 'server');
  let text = '';
  socket.on('data', (data) => { text += data; sim.publish('echo', text); });
  socket.on('error', (error) => sim.publish('echo', error.code));
  setInterval(() => socket.write(`${Math.round(sim.now() / 1000)},`), 1000);
  setTimeout(() => {
    const began = sim.now();
    net.connect(7, 'server').on('error', (error) => {
      sim.publish('connect', `${error.code} after ${Math.round((sim.now() - began) / 1000)} s`);
    });
  }, 10500);
  net.connect(8, 'server').on('error', (error) => sim.publish('closed port', error.code));
});
const seconds = (count) => new Promise((resolve) => { setTimeout(resolve, count * 1000); });
(async () => {
  await seconds(2.5);
  sim.cut(server, client);
  await seconds(2);
  console.log('cut:', sim.published('echo'));
  sim.heal(server, client);
  await seconds(1.3);
  console.log('healed:', sim.published('echo'));
  console.log(sim.published('closed port'));
  await seconds(4);
  sim.cut([server], [client]);
  await seconds(300);
  console.log(sim.published('connect'));
  await seconds(1500);
  console.log(sim.published('echo'));
  await client.stop();
  await server.stop();
})();
