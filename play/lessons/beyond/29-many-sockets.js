const net = require('net');
let answered = 0;
const server = net.createServer((socket) => socket.end('hello'));
server.listen(0, function onListening() {
  console.log('listening');
  for (let i = 0; i < 3; i++) {
    const client = net.connect(server.address().port);
    client.on('data', () => {
      console.log('answers:', ++answered);
      if (answered === 3) server.close(() => console.log('closed'));
    });
  }
});
