// compare: stdout
// A body that ends too early or is no gzip fails those who read it, and nobody else.
const net = require('net');
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
const heads = {
  '/drop': 'Content-Length: 100\r\n\r\nabc',
  '/gzip': 'Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde',
};
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (data) => {
    const target = String(data).split(' ')[1];
    if (heads[target] === undefined) {
      socket.destroy();
      return;
    }
    socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${heads[target]}`);
    setTimeout(() => socket.destroy(), 30);
  });
});

const ways = {
  text: (answer) => answer.text(),
  async reader(answer) {
    const reader = answer.body.getReader();
    while (!(await reader.read()).done);
  },
  async iterator(answer) { for await (const piece of answer.body) void piece; },
  none: () => new Promise((resolve) => { setTimeout(resolve, 60); }),
  async clone(answer) {
    const both = await Promise.allSettled([answer.clone().text(), answer.text()]);
    console.log(both.map((one) => `${one.status} ${one.reason?.message}`).join());
  },
};

server.listen(0, async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  for (const target of [...Object.keys(heads), '/nothing']) {
    for (const way of Object.keys(ways)) {
      try {
        await ways[way](await fetch(base + target));
        console.log(target, way, 'fine');
      } catch (error) {
        console.log(target, way, error.name, error.message);
      }
    }
  }
  const control = new AbortController();
  const answer = await fetch(`${base}/drop`, { signal: control.signal });
  control.abort();
  await answer.text().catch((error) => console.log(error.name));
  server.close();
  setTimeout(() => process.exit(), 100);
});
