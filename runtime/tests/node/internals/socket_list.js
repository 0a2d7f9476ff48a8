'use strict';
// Node's name internal/socket_list: how many connections of a server a child holds, asked for and
// told over the channel between the two. Questions and their answers:

const EventEmitter = require('events');
const { withCode } = require('internal/errors/errors');

const COUNT = { ask: 'NODE_SOCKET_GET_COUNT', answer: 'NODE_SOCKET_COUNT' };
const CLOSE = { ask: 'NODE_SOCKET_NOTIFY_CLOSE', answer: 'NODE_SOCKET_ALL_CLOSED' };

// One answer over the channel, or an error if the child goes first.
function answerOf(child, key, cmd) {
  return new Promise((resolve, reject) => {
    const listeners = {
      internalMessage(message) { if (message.cmd === cmd && message.key === key) end(message); },
      disconnect() { end(); },
    };
    function end(message) {
      for (const name of Object.keys(listeners)) child.removeListener(name, listeners[name]);
      if (message !== undefined) resolve(message);
      else reject(gone());
    }
    for (const name of Object.keys(listeners)) child.on(name, listeners[name]);
  });
}

function gone() {
  return withCode(Error, 'ERR_CHILD_CLOSED_BEFORE_REPLY', 'Child closed before reply received');
}

class SocketListSend extends EventEmitter {
  constructor(child, key) {
    super();
    Object.assign(this, { child, key });
  }

  _request(message, cmd, ignoresErrors, callback) {
    if (!this.child.connected) {
      callback(gone());
      return;
    }
    const answer = answerOf(this.child, this.key, cmd);
    this.child._send(message, undefined, ignoresErrors);
    answer.then((found) => process.nextTick(callback, null, found),
      (error) => process.nextTick(callback, error));
  }

  close(callback) {
    this._request({ cmd: CLOSE.ask, key: this.key }, CLOSE.answer, true, callback);
  }

  getConnections(callback) {
    this._request({ cmd: COUNT.ask, key: this.key }, COUNT.answer, false,
      (error, found) => (error ? callback(error) : callback(null, found.count)));
  }
}

class SocketListReceive extends EventEmitter {
  connections = 0;

  constructor(child, key) {
    super();
    Object.assign(this, { child, key });
    const answers = {
      [COUNT.ask]: () => this.#tell(COUNT, { count: this.connections }),
      [CLOSE.ask]: () => this.#whenEmpty(() => this.#tell(CLOSE)),
    };
    child.on('internalMessage', (message) => {
      if (message.key === key) answers[message.cmd]?.();
    });
  }

  #tell({ answer }, more) {
    if (this.child.connected) this.child._send({ cmd: answer, key: this.key, ...more });
  }

  #whenEmpty(work) {
    if (this.connections > 0) this.once('empty', work);
    else work();
  }

  add({ socket }) {
    this.connections += 1;
    socket.once('close', () => {
      this.connections -= 1;
      if (this.connections === 0) this.emit('empty', this);
    });
  }
}

module.exports = { SocketListSend, SocketListReceive };
