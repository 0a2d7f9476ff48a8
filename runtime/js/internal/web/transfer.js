'use strict';
// Streams that travel between threads: a pair of ports carries the chunks, the standard's "cross
// realm transform".

const { state, slots, deferred, handled } = require('internal/web/base');
const { kDeserialize, kTransfer, kTransferList } = require('internal/messages/transfer_symbols');

function refuse(name) {
  return new DOMException(`Cannot transfer a locked ${name}`, 'DataCloneError');
}

// Tells the other side of an error, if it can be told.
function postError(port, error) {
  try {
    port.postMessage({ type: 'error', value: error });
  } catch {
    port.postMessage({ type: 'error', value: new DOMException('Error', 'DataCloneError') });
  }
}

function listen(port, onMessage, onFailure) {
  port.onmessage = ({ data }) => onMessage(data.type, data.value);
  port.onmessageerror = () => {
    const error = new DOMException('Internal transferred stream error', 'DataCloneError');
    postError(port, error);
    onFailure(error);
    port.close();
  };
}

// A writable stream whose chunks go to the port, one for each that is asked for.
function writableTo(port) {
  const { make } = require('internal/web/writable');
  const controllers = require('internal/web/writable_controller');
  let wanted = deferred();
  let controller;
  const fail = (error) => {
    controllers.failIfWritable(controller, error);
    wanted.resolve();
  };
  listen(port, (type, value) => {
    if (type === 'pull') wanted.resolve();
    else if (type === 'error') fail(value);
  }, fail);
  return make((stream) => controllers.setUp(stream, {
    start(made) { controller = made; },
    async write(chunk) {
      await wanted.promise;
      wanted = deferred();
      try {
        port.postMessage({ type: 'chunk', value: chunk });
      } catch (error) {
        postError(port, error);
        port.close();
        throw error;
      }
    },
    async close() {
      port.postMessage({ type: 'close' });
      port.close();
    },
    async abort(reason) {
      postError(port, reason);
      port.close();
    },
  }, 1, () => 1));
}

function readableFrom(port) {
  const { make } = require('internal/web/readable');
  const controllers = require('internal/web/default_controller');
  let controller;
  listen(port, (type, value) => {
    if (type === 'chunk') controllers.enqueue(controller, value);
    if (type === 'close') controllers.close(controller);
    if (type === 'error') controllers.fail(controller, value);
    if (type !== 'chunk') port.close();
  }, (error) => controllers.fail(controller, error));
  return make((stream) => controllers.setUp(stream, {
    start(made) { controller = made; },
    async pull() { port.postMessage({ type: 'pull' }); },
    async cancel(reason) {
      postError(port, reason);
      port.close();
    },
  }, 0, () => 1));
}

function pipe(source, target) {
  handled(require('internal/web/pipe').pipeTo(source, target, false, false, false));
}

// Each kind: whether it is locked, what its port gets on this side and becomes on the other.
const KINDS = {
  ReadableStream: {
    isLocked: (slot) => slot.reader !== undefined,
    send: (stream, port) => pipe(stream, writableTo(port)),
    receive: readableFrom,
    info: 'internal/webstreams/readablestream:TransferredReadableStream',
  },
  WritableStream: {
    isLocked: (slot) => slot.writer !== undefined,
    send: (stream, port) => pipe(readableFrom(port), stream),
    receive: writableTo,
    info: 'internal/webstreams/writablestream:TransferredWritableStream',
  },
};

function method(prototype, key, value) {
  Object.defineProperty(prototype, key, { value, configurable: true, writable: true });
}

function makeTransferable({ prototype, name }) {
  const { isLocked, send, info } = KINDS[name];
  method(prototype, kTransferList, function list() {
    const slot = slots(this, name);
    if (isLocked(slot)) throw refuse(name);
    slot.ports = new MessageChannel();
    return [slot.ports.port2];
  });
  method(prototype, kTransfer, function move() {
    const slot = slots(this, name);
    if (isLocked(slot)) throw refuse(name);
    send(this, slot.ports.port1);
    return { data: { port: slot.ports.port2 }, deserializeInfo: info };
  });
  method(prototype, kDeserialize, () => {});
}

// Both sides of a transform stream.
function makePairTransferable({ prototype }) {
  const sidesOf = (self) => {
    const { readable, writable } = slots(self, 'TransformStream');
    if (readable[state].reader !== undefined) throw refuse('ReadableStream');
    if (writable[state].writer !== undefined) throw refuse('WritableStream');
    return { readable, writable };
  };
  method(prototype, kTransferList, function list() {
    const { readable, writable } = sidesOf(this);
    return [readable, writable];
  });
  method(prototype, kTransfer, function move() {
    return { data: sidesOf(this),
      deserializeInfo: 'internal/webstreams/transformstream:TransferredTransformStream' };
  });
  method(prototype, kDeserialize, () => {});
}

const receiver = (make) => ({ [kDeserialize]: make });

// What makes them on the other side, by their names.
const MAKERS = {
  [KINDS.ReadableStream.info]: receiver(({ port }) => readableFrom(port)),
  [KINDS.WritableStream.info]: receiver(({ port }) => writableTo(port)),
  'internal/webstreams/transformstream:TransferredTransformStream': receiver((sides) => {
    const { TransformStream } = require('internal/web/transform');
    const made = Object.create(TransformStream.prototype);
    made[state] = { brand: 'TransformStream', ...sides };
    return made;
  }),
};

module.exports = { makeTransferable, makePairTransferable, MAKERS };
