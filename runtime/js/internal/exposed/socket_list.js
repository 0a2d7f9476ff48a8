'use strict';
// Node's name internal/socket_list: how many connections of a server a child holds, asked for and
// told over the channel between the two.

const EventEmitter = require('events');
const { withCode } = require('internal/errors/errors');

class SocketListSend extends EventEmitter {
  constructor(child, key) {
    super();
    this.key = key;
    this.child = child;
  }

  _request(msg, cmd, swallowErrors, callback) {
    const { child, key } = this;
    const closed = () => withCode(Error, 'ERR_CHILD_CLOSED_BEFORE_REPLY',
      'Child closed before reply received');
    if (!child.connected) {
      callback(closed());
      return;
    }
    child._send(msg, undefined, swallowErrors);
    const end = (error, answer) => {
      child.removeListener('internalMessage', onMessage);
      child.removeListener('disconnect', onDisconnect);
      if (error === null) callback(null, answer);
      else callback(error);
    };
    const onMessage = (answer) => {
      if (answer.cmd === cmd && answer.key === key) end(null, answer);
    };
    const onDisconnect = () => end(closed());
    child.on('internalMessage', onMessage);
    child.once('disconnect', onDisconnect);
  }

  close(callback) {
    this._request({ cmd: 'NODE_SOCKET_NOTIFY_CLOSE', key: this.key }, 'NODE_SOCKET_ALL_CLOSED',
      true, callback);
  }

  getConnections(callback) {
    this._request({ cmd: 'NODE_SOCKET_GET_COUNT', key: this.key }, 'NODE_SOCKET_COUNT', false,
      (error, answer) => (error ? callback(error) : callback(null, answer.count)));
  }
}

class SocketListReceive extends EventEmitter {
  constructor(child, key) {
    super();
    this.connections = 0;
    this.key = key;
    this.child = child;
    child.on('internalMessage', (msg) => { if (msg.key === key) this.#answer(msg); });
  }

  #tell(cmd, more) {
    if (this.child.connected) this.child._send({ cmd, key: this.key, ...more });
  }

  #answer({ cmd }) {
    if (cmd === 'NODE_SOCKET_GET_COUNT') {
      this.#tell('NODE_SOCKET_COUNT', { count: this.connections });
    } else if (cmd === 'NODE_SOCKET_NOTIFY_CLOSE') {
      const tell = () => this.#tell('NODE_SOCKET_ALL_CLOSED');
      if (this.connections === 0) tell();
      else this.once('empty', tell);
    }
  }

  add(obj) {
    this.connections++;
    obj.socket.once('close', () => {
      if (--this.connections === 0) this.emit('empty', this);
    });
  }
}

module.exports = { SocketListSend, SocketListReceive };
