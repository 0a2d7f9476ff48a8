'use strict';
// postMessageToThread: every thread has a box of its own that all others can reach.

const { MessagePort, MessageChannel, native } = require('internal/messages/port');
const { withCode } = require('internal/errors/errors');
const { validateNumber } = require('internal/errors/validators');

const NO_LISTENER = 1, FAILED = 2, FINE = 0;
const ERRORS = {
  SAME_THREAD: 'Cannot sent a message to the same thread',
  FAILED: 'Cannot find the destination thread or listener',
  ERRORED: 'The destination thread threw an error while processing the message',
  TIMEOUT: 'Sending a message to another thread timed out',
};
const own = native.startData()?.[2] ?? 0;
let box;

// Groups that are there while workers are inspected, and while they are to wait for it.
const INSPECTED = '\u0001inspected';
const WAITING = '\u0001inspected-waits';
const nameOf = (id) => `\u0001thread:${id}`;

function failure(kind) {
  return withCode(Error, `ERR_WORKER_MESSAGING_${kind}`, ERRORS[kind]);
}

function onMessage({ value, source, reply, isInspected }) {
  if (isInspected) {
    require('internal/inspector/workers').announce(false);
    return;
  }
  let status = FINE;
  if (process.listenerCount('workerMessage') === 0) {
    status = NO_LISTENER;
  } else {
    try {
      process.emit('workerMessage', value, source);
    } catch {
      status = FAILED;
    }
  }
  reply.postMessage(status);
  reply.close();
}

// From now on this thread can be reached. A worker's box is there before it starts.
function openBox(id) {
  if (box !== undefined) return;
  box = new MessagePort(id ?? native.join(nameOf(own)));
  box.on('message', onMessage);
  box.unref();
}

async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) {
    timeout = transferList;
    transferList = [];
  }
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === own) throw failure('SAME_THREAD');
  const { port1, port2 } = new MessageChannel();
  if (!native.hasGroup(nameOf(threadId))) {
    port1.close();
    throw failure('FAILED');
  }
  const sender = new MessagePort(native.join(nameOf(threadId)));
  sender.postMessage({ value, source: own, reply: port2 }, [port2, ...(transferList ?? [])]);
  sender.close();
  const status = await new Promise((resolve) => {
    const timer = timeout === undefined ? undefined : setTimeout(resolve, timeout, 'late');
    const end = (result) => {
      clearTimeout(timer);
      resolve(result);
    };
    port1.once('message', end);
    port1.once('close', () => end(NO_LISTENER));
  });
  port1.close();
  if (status === 'late') throw failure('TIMEOUT');
  if (status === NO_LISTENER) throw failure('FAILED');
  if (status === FAILED) throw failure('ERRORED');
}

module.exports = { openBox, postMessageToThread, nameOf, INSPECTED, WAITING };
