// Constructors are called without new, and on objects of classes that inherit the old way.
const net = require('net');
const http = require('http');
const util = require('util');
const inherited = (Base) => {
  function Made(...args) { Base.call(this, ...args); }
  util.inherits(Made, Base);
  return Made;
};
const NetServer = inherited(net.Server);
const HttpServer = inherited(http.Server);
const Socket = inherited(net.Socket);
const Agent = inherited(http.Agent);

const serve = (server, ask) => new Promise((resolve) => {
  server.listen(0, () => ask(server.address().port, () => server.close(resolve)));
});
const read = (Class) => (port, done) => {
  const socket = new Class();
  socket.connect(port);
  socket.on('data', (data) => console.log(String(data)));
  socket.on('close', done);
};
const get = (agent) => (port, done) => http.get({ port, agent }, (res) => {
  res.on('data', (data) => console.log(String(data)));
  res.on('end', () => {
    agent.destroy();
    done();
  });
});

(async () => {
  await serve(new NetServer((socket) => socket.end('inherited')), read(Socket));
  await serve(net.Server((socket) => socket.end('called')), read(net.Socket));
  await serve(new HttpServer((req, res) => res.end('inherited')), get(new Agent()));
  await serve(http.Server((req, res) => res.end('called')), get(http.Agent()));
  console.log(net.Socket() instanceof net.Socket, new Agent() instanceof http.Agent,
    new Agent().maxSockets, new HttpServer().listening);
  class Derived extends net.Socket {}
  console.log(new Derived() instanceof Derived, net.Socket.name, net.Server.name);
})();
