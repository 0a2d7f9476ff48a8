'use strict';
// 200 datagrams over a bad way, and what became of them.
const sim = require('phasor:sim');
const [loss, duplicate, reorder] = process.argv.slice(2).map(Number);
const receiver = sim.host('receiver', () => {
  const sim = require('phasor:sim');
  const seen = [];
  const socket = require('dgram').createSocket('udp4');
  socket.on('message', (message, from) => {
    seen.push(Number(message));
    sim.publish('seen', seen);
    sim.publish('from', from.address);
  });
  socket.bind(53);
});
const sender = sim.host('sender', () => {
  const socket = require('dgram').createSocket('udp4');
  let number = 0;
  const timer = setInterval(() => {
    socket.send(String(number++), 53, 'receiver');
    if (number < 200) return;
    clearInterval(timer);
    setTimeout(() => socket.close(), 1000);
  }, 5);
});
sim.link(receiver, sender, { latency: 10, loss, duplicate, reorder });
setTimeout(async () => {
  const seen = sim.published('seen') ?? [];
  const different = new Set(seen).size;
  const overtaken = seen.filter((one, i) => i > 0 && one < seen[i - 1]).length;
  console.log(sim.published('from'), 'lost', 200 - different, 'doubled', seen.length - different,
    'overtaken', overtaken);
  await receiver.stop();
  await sender.stop();
}, 5000);
