'use strict';
// Node's name internal/socket_list: how many connections of a server a child process holds. The
// parent asks (SocketListSend), the child answers (SocketListReceive); both know the list by a key.

const EventEmitter = require('events');
const { withCode } = require('internal/errors/errors');

function gone() {
  return withCode(Error, 'ERR_CHILD_CLOSED_BEFORE_REPLY', 'Child closed before reply received');
}

class SocketListSend extends EventEmitter {
  constructor(child, key) {
    super();
    Object.assign(this, { child, key });
    child.once('exit', () => this.emit('exit', this));
  }

  // Sends a command, and calls back with the first answer of the kind that is expected, or with an
  // error once the child can't answer any more.
  _request(msg, cmd, swallowErrors, callback) {
    const { child } = this;
    if (!child.connected) return callback(gone());

    const settle = (error, answer) => {
      for (const [event, listener] of listeners) child.off(event, listener);
      callback(error, answer);
    };
    const listeners = [
      ['internalMessage', (answer) => {
        if (answer.cmd === cmd && answer.key === this.key) settle(null, answer);
      }],
      ['disconnect', () => settle(gone())],
    ];
    for (const [event, listener] of listeners) child.on(event, listener);
    child._send(msg, undefined, swallowErrors);
  }

  close(callback) {
    const question = { cmd: 'NODE_SOCKET_NOTIFY_CLOSE', key: this.key };
    this._request(question, 'NODE_SOCKET_ALL_CLOSED', true, callback);
  }

  getConnections(callback) {
    const question = { cmd: 'NODE_SOCKET_GET_COUNT', key: this.key };
    this._request(question, 'NODE_SOCKET_COUNT', false, (error, answer) => {
      if (error) callback(error);
      else callback(null, answer.count);
    });
  }
}

class SocketListReceive extends EventEmitter {
  constructor(child, key) {
    super();
    Object.assign(this, { connections: 0, child, key });
    const answers = {
      NODE_SOCKET_NOTIFY_CLOSE: () => this.#whenEmpty(() => this.#tell('NODE_SOCKET_ALL_CLOSED')),
      NODE_SOCKET_GET_COUNT: () => this.#tell('NODE_SOCKET_COUNT', { count: this.connections }),
    };
    child.on('internalMessage', (question) => {
      if (question.key === key && Object.hasOwn(answers, question.cmd)) answers[question.cmd]();
    });
  }

  add({ socket }) {
    this.connections += 1;
    socket.once('close', () => {
      this.connections -= 1;
      if (this.connections === 0) this.emit('empty', this);
    });
  }

  #whenEmpty(then) {
    if (this.connections > 0) this.once('empty', then);
    else then();
  }

  #tell(cmd, details) {
    if (this.child.connected) this.child._send({ cmd, key: this.key, ...details });
  }
}

module.exports = { SocketListSend, SocketListReceive };
