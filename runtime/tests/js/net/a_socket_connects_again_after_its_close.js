const net = require('net');
const server = net.createServer((socket) => socket.end('hello')).listen(0, () => {
  const socket = new net.Socket();
  let left = 3;
  for (const name of ['connect', 'end']) socket.on(name, () => console.log(name));
  socket.on('data', (data) => console.log(String(data)));
  socket.on('close', (hadError) => {
    console.log('close', hadError);
    if (left-- > 0) socket.connect(server.address().port);
    else server.close();
  });
  socket.connect(server.address().port);
});
