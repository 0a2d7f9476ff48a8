'use strict';
// The NodeWorker domain: clients of the main thread's inspector speak with those of the workers,
// also of workers that workers have started. Between two threads a client has a number below zero.

const native = binding('inspector');
const ports = binding('worker');
const agent = require('internal/inspector/agent');
const { INSPECTED, WAITING, nameOf } = require('internal/worker/messaging');

const [OPENED, TEXT, CLOSED, ANNOUNCED, GONE] = [0, 1, 2, 3, 4];
const bridges = new Map(); // number -> { session, thread }
const workers = new Map(); // thread -> what it has announced of itself
const signs = new Map(); // by name: what tells new workers that they are wanted
let last = 0;

function nameOfBridge(number) { return String(-number); }

function attach(session, thread) {
  const { title, url, isWaiting } = workers.get(thread);
  const number = --last;
  bridges.set(number, { session, thread });
  native.post(thread, OPENED, number, '');
  session.tell('NodeWorker.attachedToWorker', { sessionId: nameOfBridge(number),
    workerInfo: { workerId: String(thread), type: 'worker', title, url },
    waitingForDebugger: isWaiting });
}

// Mail is served between any two statements, these too: a bridge may be gone at any moment.
function leave(number) {
  const bridge = bridges.get(number);
  if (!bridges.delete(number)) return;
  const { session, thread } = bridge;
  native.post(thread, CLOSED, number, '');
  session.tell('NodeWorker.detachedFromWorker', { sessionId: nameOfBridge(number) });
}

function onAnnounced(thread, told) {
  workers.set(thread, told);
  const wanting = [...agent.sessions].filter((session) => session.enabled.has('NodeWorker'));
  for (const session of wanting) attach(session, thread);
  if (wanting.length === 0) native.post(thread, CLOSED, 0, ''); // it may be waiting
}

// On the main thread: what comes from workers.
function onMail(connection, kind, text) {
  if (kind === ANNOUNCED) {
    onAnnounced(connection, JSON.parse(text));
  } else if (kind === GONE) {
    workers.delete(connection);
    for (const [number, { thread }] of [...bridges]) if (thread === connection) leave(number);
  } else {
    bridges.get(connection)?.session.tell('NodeWorker.receivedMessageFromWorker',
      { sessionId: nameOfBridge(connection), message: text });
  }
}

function setSign(name, isUp) {
  if (isUp === signs.has(name)) return;
  if (isUp) {
    signs.set(name, ports.join(name));
  } else {
    ports.close(signs.get(name));
    signs.delete(name);
  }
}

function updateSigns() {
  const wanting = [...agent.sessions].filter((session) => session.enabled.has('NodeWorker'));
  setSign(INSPECTED, wanting.length > 0);
  setSign(WAITING, wanting.some((session) => session.state.makesWorkersWait));
}

function askRunning() {
  const { MessagePort } = require('internal/messages/port');
  for (let thread = ports.lastId(); thread > 0; thread--) {
    if (workers.has(thread) || !ports.hasGroup(nameOf(thread))) continue;
    const box = new MessagePort(ports.join(nameOf(thread)));
    box.postMessage({ isInspected: true });
    box.close();
  }
}

const commands = {
  NodeWorker: {
    enable(session, { waitForDebuggerOnStart }) {
      if (ports.startData() !== undefined || session.enabled.has('NodeWorker')) return;
      session.enabled.add('NodeWorker');
      session.state.makesWorkersWait = waitForDebuggerOnStart === true;
      updateSigns();
      for (const thread of workers.keys()) attach(session, thread);
      askRunning();
    },
    disable(session) {
      session.enabled.delete('NodeWorker');
      for (const [number, bridge] of [...bridges]) if (bridge.session === session) leave(number);
      updateSigns();
    },
    detach(session, { sessionId }) {
      if (bridges.get(-sessionId)?.session === session) leave(-sessionId);
    },
    sendMessageToWorker(session, { sessionId, message }) {
      const bridge = bridges.get(-sessionId);
      if (bridge?.session !== session) return;
      native.post(bridge.thread, TEXT, -sessionId, String(message));
    },
  },
};

// The last thing that a worker does. Clients who want to know may still look at it.
function atExit() {
  agent.serve();
  const told = [...agent.sessions].filter((session) => session.state.tellsEnd);
  for (const session of told) session.tell('NodeRuntime.waitingForDisconnect', {});
  agent.serve(() => !told.some((session) => agent.sessions.has(session)));
  require('internal/inspector/runtime').tellDestroyed();
}

// In a worker: tells the main thread of it, and waits for a client if one wants that.
let isAnnounced = false;

function announce(isStart) {
  const [json, , thread] = ports.startData();
  const { file, name, eval: isText } = JSON.parse(json);
  const isWaiting = isStart && ports.hasGroup(WAITING);
  if (isAnnounced) return;
  isAnnounced = true;
  const url = /^(file|data):/.test(file) ? file
    : require('path').isAbsolute(file) ? require('url').pathToFileURL(file).href : '';
  const title = `[worker ${thread}]${name ? ` ${name}` : ''}`;
  if (!native.post(0, ANNOUNCED, thread, JSON.stringify({ title, url, isWaiting }))) return;
  require('internal/process/process').inspected.endings.push(atExit);
  if (!isWaiting) return;
  agent.isWaiting = true;
  agent.serve(() => !agent.isWaiting || agent.isLeft);
  agent.isWaiting = false;
  if (!isText && [...agent.sessions].some((session) => session.enabled.has('Debugger'))) {
    require('internal/inspector/debugger').pauseSoon('Break on start');
  }
}

module.exports = { commands, onMail, announce };
