'use strict';
const sim = require('phasor:sim');
const { lookup } = require('dns');
console.log(sim.active, sim.seed, sim.now(), require('os').hostname());
const server = sim.host('server', () => {
  require('http').createServer((request, response) => {
    const { remoteAddress } = request.socket;
    response.end(`${require('os').hostname()} answers ${request.url} of ${remoteAddress}`);
  }).listen(80);
});
const client = sim.host('client', (data) => {
  const { publish } = require('phasor:sim');
  const http = require('http');
  function ask(number) {
    http.get(`http://server/${number}`, (response) => {
      let text = '';
      response.on('data', (part) => { text += part; });
      response.on('end', () => {
        publish(`answer ${number}`, text);
        publish('answers', number);
        if (number < data.times) ask(number + 1);
      });
    }).on('error', () => setTimeout(ask, 10, number));
  }
  ask(1);
}, { times: 3 });
sim.link(server, client, { latency: 50, jitter: 5 });
let looks = 0;
const stop = sim.check(() => { looks++; });
sim.until(() => sim.published('answers') === 3, { limit: 60000 }).then(async () => {
  stop();
  for (let i = 1; i < 4; i++) console.log(sim.published(`answer ${i}`));
  console.log(server.address, client.address, sim.now() >= 400, looks > 6);
  lookup('server', async (error, address) => {
    console.log(error, address);
    await client.stop();
    await server.stop();
  });
});
