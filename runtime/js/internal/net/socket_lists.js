'use strict';
// Sockets of a server that were sent to other processes: the server counts them, and has closed
// when they have. Both sides; the names are those that Node uses on the wire.

const { withCode } = require('internal/errors/errors');

// The sender's side. What went to one process: it says when all of it has closed, if asked.
function lend(server, line) {
  server._usingWorkers = true;
  let list = server._workers.find((one) => one.line === line);
  if (list === undefined) {
    list = { server, line, key: server._connectionKey, counts: [] };
    server._workers.push(list);
    line.lent.push(list);
  }
  list.isAsked = list.isClosed = false;
}

function areClosed(server) {
  for (const list of server._workers) {
    if (list.isAsked) continue;
    list.isAsked = true;
    list.line.send({ cmd: 'NODE_SOCKET_NOTIFY_CLOSE', key: list.key });
  }
  return server._workers.every((list) => list.isClosed);
}

function count(server, callback) {
  let total = server._connections;
  let left = server._workers.length;
  const add = (error, more) => {
    if (error || left < 0) {
      if (left >= 0) callback(error);
      left = -1;
      return;
    }
    total += more;
    if (--left === 0) callback(null, total);
  };
  if (left === 0) {
    process.nextTick(callback, null, total);
    return;
  }
  for (const list of [...server._workers]) {
    list.counts.push(add);
    list.line.send({ cmd: 'NODE_SOCKET_GET_COUNT', key: list.key });
  }
}

// The process has gone, or can't be reached any more.
function giveUp(line) {
  for (const list of line.lent.splice(0)) {
    const { server, counts, isClosed } = list;
    server._workers.splice(server._workers.indexOf(list), 1);
    for (const callback of counts.splice(0)) {
      callback(withCode(Error, 'ERR_CHILD_CLOSED_BEFORE_REPLY',
        'Child closed before reply received'));
    }
    if (!isClosed) server._emitCloseIfDrained();
  }
}

// The receiver's side: the sockets of one server that came here.
function borrow(socket, line, key) {
  const list = line.borrowed.get(key) ?? { count: 0, isWanted: false };
  line.borrowed.set(key, list);
  list.count++;
  socket.once('close', () => {
    list.count--;
    tellClosed(line, key, list);
  });
}

function tellClosed(line, key, list) {
  if (!list.isWanted || list.count > 0) return;
  list.isWanted = false;
  if (line.isOpen) line.send({ cmd: 'NODE_SOCKET_ALL_CLOSED', key });
}

// A message of either side.
function take(line, { cmd, key, count: number }) {
  const borrowed = line.borrowed.get(key);
  const lent = line.lent.find((list) => list.key === key);
  if (cmd === 'NODE_SOCKET_GET_COUNT' && borrowed) {
    line.send({ cmd: 'NODE_SOCKET_COUNT', key, count: borrowed.count });
  } else if (cmd === 'NODE_SOCKET_NOTIFY_CLOSE' && borrowed) {
    borrowed.isWanted = true;
    tellClosed(line, key, borrowed);
  } else if (cmd === 'NODE_SOCKET_COUNT') {
    lent?.counts.shift()?.(null, number);
  } else if (cmd === 'NODE_SOCKET_ALL_CLOSED' && lent) {
    lent.isClosed = lent.isAsked;
    lent.server._emitCloseIfDrained();
  }
}

module.exports = { lend, areClosed, count, giveUp, borrow, take };
