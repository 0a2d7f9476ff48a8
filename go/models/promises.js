'use strict';
// Node with promises: an async function for each connection.
const net = require('net');
const readline = require('readline');

async function serve(client) {
  client.setTimeout(30000, () => client.destroy());
  for await (const line of readline.createInterface({ input: client })) {
    if (!client.write(`${line.toUpperCase()}\n`)) {
      await new Promise((resolve) => { client.once('drain', resolve); });
    }
  }
}

const server = net.createServer((client) => {
  client.on('error', () => {});
  serve(client).catch(() => client.destroy());
});
server.listen(0, '127.0.0.1', 1024, () => console.log(server.address().port));
