'use strict';
// Messages between a parent and a forked child: one JSON text per line; or, if both are told so,
// the engine's own copies, each behind its length.

const streams = binding('stream');
const { invalidArgType, missingArgs, withCode } = require('internal/errors/errors');
const { validateObject } = require('internal/errors/validators');

const KINDS = ['string', 'object', 'number', 'boolean'];

function checkMessage(message, options) {
  if (message === undefined) throw missingArgs('message');
  if (!KINDS.includes(typeof message)) throw invalidArgType('message', KINDS, message);
  if (options !== undefined && typeof options !== 'function') validateObject(options, 'options');
}

// Messages whose cmd begins with NODE_ are not for the program.
function receive(target, message, handle) {
  const isInternal = typeof message?.cmd === 'string' && message.cmd.startsWith('NODE_');
  process.nextTick(() =>
    target.emit(isInternal ? 'internalMessage' : 'message', message, handle));
}

const SOCKET_LISTS = /^NODE_SOCKET_/;
const TRIES = 3; // of a handle that did not arrive

/*
 * What travels on a channel. A message with a handle is answered before anything else is sent, so
 * that there is never more than one handle under way; what is sent meanwhile waits in line.
 */
class Line {
  constructor(target, pipe, form) {
    Object.assign(this, { target, pipe, form, underWay: null, waiting: [], isOpen: true });
    this.onIdle = undefined; // who waits for the last handle to arrive
    this.lent = []; // see internal/socket_lists
    this.borrowed = new Map();
  }

  send(message, object, options, callback) {
    if (this.underWay) {
      this.waiting.push([message, object, options, callback]);
      return this.waiting.length === 1;
    }
    if (object === undefined) return this.write(message, callback);
    const sent = require('internal/child/passing').describe(object, options, this);
    if (!sent.handle) return this.write(message, callback); // a socket that is closed already
    this.underWay = { ...sent, callback, tries: 0,
      message: { cmd: 'NODE_HANDLE', type: sent.type, ...sent.extra, msg: message } };
    return this.pass();
  }

  write(message, callback) {
    const status = streams.write(this.pipe, this.form.encode(message), () => callback?.(null));
    if (status === 1 && callback) process.nextTick(callback, null);
    return status >= 0;
  }

  pass() {
    const { handle, message, callback } = this.underWay;
    this.underWay.tries++;
    const bytes = Buffer.from(this.form.encode(message));
    const status = binding('passing').send(this.pipe, bytes, handle,
      (result) => { if (result === 0) callback?.(null); });
    if (status !== 0) this.answered(false);
    return status === 0;
  }

  // The other side has the handle, or says that none came.
  answered(isThere) {
    const { underWay } = this;
    if (!underWay) return;
    if (!isThere && underWay.tries < TRIES && this.isOpen) {
      this.pass();
      return;
    }
    this.underWay = null;
    underWay.done();
    if (!this.isOpen) return;
    for (const one of this.waiting.splice(0)) this.send(...one);
    if (!this.underWay) this.onIdle?.();
  }

  // Nobody will answer any more.
  end() {
    this.isOpen = false;
    this.answered(false);
    if (this.lent.length > 0) require('internal/net/socket_lists').giveUp(this);
  }

  take(message) {
    if (message?.cmd === 'NODE_HANDLE_ACK') {
      this.answered(true);
    } else if (message?.cmd === 'NODE_HANDLE_NACK') {
      this.answered(false);
    } else if (message?.cmd === 'NODE_HANDLE') {
      const handle = binding('passing').take(this.pipe);
      const isThere = typeof handle === 'object';
      this.write({ cmd: isThere ? 'NODE_HANDLE_ACK' : 'NODE_HANDLE_NACK' });
      if (!isThere) return;
      require('internal/child/passing').revive(message, handle, this,
        (made) => receive(this.target, message.msg, made));
    } else {
      if (SOCKET_LISTS.test(message?.cmd)) require('internal/net/socket_lists').take(this, message);
      receive(this.target, message);
    }
  }
}

// The method send of a process or of a child.
function sender(target, line) {
  return function send(message, sendHandle, options, callback) {
    checkMessage(message, options);
    if (typeof sendHandle === 'function') [callback, sendHandle, options] = [sendHandle];
    else if (typeof options === 'function') [callback, options] = [options];
    if (sendHandle === null) sendHandle = undefined;
    if (!target.connected) {
      const error = withCode(Error, 'ERR_IPC_CHANNEL_CLOSED', 'Channel closed');
      if (callback) process.nextTick(callback, error);
      else process.nextTick(() => target.emit('error', error));
      return false;
    }
    if (sendHandle !== undefined && typeof sendHandle !== 'object') {
      throw require('internal/child/passing').notSendable();
    }
    return line.send(message, sendHandle, options, callback);
  };
}

// The forms of messages: encode(message) gives bytes, a decoder gives messages for bytes.
function jsonForm() {
  let rest = '';
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder('utf8');
  return {
    encode: (message) => `${JSON.stringify(message)}\n`,
    decode(chunk) {
      rest += decoder.write(chunk);
      const lines = rest.split('\n');
      rest = lines.pop();
      return lines.map((line) => JSON.parse(line));
    },
  };
}

function advancedForm() {
  const { write, read } = require('internal/serdes/messages');
  const pieces = []; // of the message that comes in
  let size = 0;
  let wanted = 4;
  return {
    encode: write,
    decode(chunk) {
      pieces.push(chunk);
      size += chunk.length;
      const messages = [];
      while (size >= wanted) {
        const all = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
        const end = 4 + all.readUInt32BE(0);
        if (size >= end) messages.push(read(all.subarray(4, end)));
        const rest = size >= end ? all.subarray(end) : all;
        pieces.splice(0, pieces.length, rest);
        size = rest.length;
        wanted = size === all.length ? end : 4;
      }
      return messages;
    },
  };
}

function attach(target, handle, serialization) {
  const form = serialization === 'advanced' ? advancedForm() : jsonForm();
  const line = new Line(target, handle, form);
  target.connected = true;
  target.channel = {
    get fd() { return streams.fd(handle); },
    ref: () => streams.ref(handle),
    unref: () => streams.unref(handle),
  };
  function close() {
    if (!line.isOpen) return;
    line.end();
    target.connected = false;
    target.channel = target._channel = null;
    streams.close(handle, () => {
      if (target._closed) target._closed();
    });
    process.nextTick(() => target.emit('disconnect'));
  }
  if (target._closesNeeded) target._closesNeeded++;
  streams.setReader(handle, (count, chunk) => {
    if (count < 0) {
      close();
      return;
    }
    for (const message of form.decode(chunk)) line.take(message);
  });
  streams.readStart(handle);
  target.send = sender(target, line);
  target._channel = target.channel;
  target.disconnect = function disconnect() {
    if (target.connected) {
      target.connected = false;
      if (line.underWay) line.onIdle = close;
      else close();
      return;
    }
    const error = withCode(Error, 'ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected');
    if (target === process) process.nextTick(() => process.emit('error', error));
    else target.emit('error', error);
  };
}

// The child's side: the parent says which descriptor the channel is.
function attachToParent() {
  const fd = Number(process.env.NODE_CHANNEL_FD);
  const serialization = process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  if (!Number.isInteger(fd)) return;
  const handle = streams.newPipe(1);
  if (streams.open(handle, fd) !== 0) return;
  attach(process, handle, serialization);
  // The channel holds the process only while someone listens.
  streams.unref(handle);
  const update = () => {
    if (!process.connected) return;
    if (process.listenerCount('message') + process.listenerCount('disconnect') > 0) {
      streams.ref(handle);
    } else {
      streams.unref(handle);
    }
  };
  process.on('newListener', (name) => {
    if (name === 'message' || name === 'disconnect') process.nextTick(update);
    if ((name === 'message' || name === 'disconnect') && process.connected) streams.ref(handle);
  });
  process.on('removeListener', update);
}

module.exports = { attach, attachToParent };
