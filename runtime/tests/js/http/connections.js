'use strict';
// As many connections at once as the system lets one process have, up to 10,000 pairs; each is
// served.
const { execFileSync, spawn } = require('child_process');

if (process.env.CONNECTIONS === undefined) {
  const hard = execFileSync('sh', ['-c', 'ulimit -Hn']).toString().trim();
  const most = hard === 'unlimited' ? 1e6 : Number(hard);
  const count = Math.min(10000, Math.floor((most - 200) / 2));
  const child = spawn('sh', ['-c', `ulimit -n ${Math.min(most, 20200)}; exec "$@"`, 'sh',
    process.execPath, __filename],
  { env: { ...process.env, CONNECTIONS: String(count) }, stdio: 'inherit' });
  child.on('exit', (code) => { process.exitCode = code; });
} else {
  run(Number(process.env.CONNECTIONS));
}

function run(count) {
  const http = require('http');
  const net = require('net');
  let served = 0;
  const patient = { keepAliveTimeout: 600000, headersTimeout: 0, requestTimeout: 0 };
  const server = http.createServer(patient, (req, res) => {
    served++;
    res.end('ok');
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const sockets = [];
    let answers = 0;
    function check() {
      if (answers !== count) return;
      server.getConnections((error, open) => {
        console.log('all served', served === count, 'all open', open === count);
        for (const socket of sockets) socket.destroy();
        server.close(() => console.log('closed'));
      });
    }
    function more() {
      if (sockets.length === count) return;
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        more();
      });
      sockets.push(socket);
      socket.once('data', () => {
        answers++;
        check();
      });
      socket.on('error', (error) => {
        console.log(error.message);
        process.exit(1);
      });
    }
    for (let i = 0; i < 50; i++) more();
  });
}
