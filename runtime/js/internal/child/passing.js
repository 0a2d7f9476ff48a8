'use strict';
// Sockets and servers as messages between processes: what travels, and what it is made into there.
// The names are those that Node uses on the wire, so that the other side may be Node.

const passing = binding('passing');
const { isOurs } = require('internal/net/handles');
const { withCode } = require('internal/errors/errors');

function notSendable() {
  return withCode(TypeError, 'ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent');
}

// A socket that is sent belongs to the other side from then on.
function detach(socket, line) {
  const handle = socket._handle;
  handle.readStop();
  handle.onconnection = undefined;
  socket.setTimeout(0);
  if (socket.parser) { // it was a connection of HTTP
    socket.parser.detach?.();
    socket.parser = null;
    socket._httpMessage = null;
  }
  socket._handle = null;
  const server = socket._server;
  if (server) {
    server._connections--;
    socket._server = null;
    if (line.target !== process) require('internal/net/socket_lists').lend(server, line);
    server._emitCloseIfDrained();
  }
  return handle;
}

// What becomes of an object that is sent: { type, handle, extra, done }. `done` is for the moment
// when the other side has it.
function describe(object, { keepOpen } = {}, line) {
  const net = require('net');
  const dgram = require('dgram');
  const nothing = () => {};
  if (object instanceof net.Socket) {
    if (!object._handle) return { type: 'net.Socket', handle: null, done: nothing };
    const extra = { key: object._server?._connectionKey };
    const handle = keepOpen ? object._handle : detach(object, line);
    return { type: 'net.Socket', handle, extra, done: keepOpen ? nothing : () => handle.close() };
  }
  if (object instanceof net.Server) {
    return { type: 'net.Server', handle: object._handle, done: nothing };
  }
  if (object instanceof dgram.Socket) {
    return { type: 'dgram.Socket', handle: dgram._handleOf(object),
      extra: { dgramType: object.type }, done: nothing };
  }
  if (!isOurs(object)) throw notSendable();
  const type = passing.kind(object) === 'UDP' ? 'dgram.Native' : 'net.Native';
  return { type, handle: object, done: nothing };
}

// Calls back with what the message's type says that the handle is.
function revive(message, handle, line, ready) {
  const net = require('net');
  switch (message.type) {
    case 'net.Socket': {
      const socket = new net.Socket({ handle, readable: true, writable: true });
      if (message.key) require('internal/net/socket_lists').borrow(socket, line, message.key);
      ready(socket);
      break;
    }
    case 'net.Server': {
      const server = new net.Server();
      server.listen(handle, () => ready(server));
      break;
    }
    case 'dgram.Socket': {
      const socket = require('dgram').createSocket(message.dgramType);
      socket.bind(handle, () => ready(socket));
      break;
    }
    default:
      ready(handle);
  }
}

module.exports = { describe, revive, notSendable };
