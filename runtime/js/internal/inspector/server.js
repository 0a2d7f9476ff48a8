'use strict';
// The inspector's server: opened by options of the command line or by inspector.open().

const native = binding('inspector');
const demand = (what) => binding('permission').demand(4, what);
const agent = require('internal/inspector/agent');
const { withCode } = require('internal/errors/errors');
const { write, errorText } = binding('process');

const HELP = 'For help, see: https://nodejs.org/en/docs/inspector';
const settings = { host: '127.0.0.1', port: 9229, publishes: { stderr: true, http: true } };
let id;

function uuid() {
  const bytes = new Uint8Array(16);
  binding('random').fill(bytes);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function say(text) {
  write(2, `${text}\n`);
}

function url() {
  if (id === undefined) return undefined;
  const { host, port } = settings;
  return `ws://${host.includes(':') ? `[${host}]` : host}:${port}/${id}`;
}

// The line of /json that says what is inspected.
function describeTarget() {
  const script = process.argv[1];
  const isFile = script !== undefined && !process.execArgv.includes('-e');
  const name = isFile ? require('path').resolve(script) : '';
  const title = name || `${require('path').basename(process.execPath)}[${process.pid}]`;
  const address = name && `file://${name}`;
  return `  "title": ${JSON.stringify(title)},\n  "url": ${JSON.stringify(address)}`;
}

function open({ port, host }) {
  demand('StartIoThread');
  if (port !== undefined) settings.port = port;
  if (host !== undefined) settings.host = host;
  id = uuid();
  const version = `${JSON.stringify({ 'Browser': `node.js/${process.version}`,
    'Protocol-Version': '1.1' }, null, 2)}\n\n`;
  const found = native.start(settings.host, settings.port, id, describeTarget(), version,
    settings.publishes.http);
  if (found < 0) {
    id = undefined;
    say(`Starting inspector on ${settings.host}:${settings.port} failed: ${errorText(found)}`);
    return false;
  }
  settings.port = process.debugPort = found;
  agent.onAttached = () => say('Debugger attached.');
  if (settings.publishes.stderr) say(`Debugger listening on ${url()}\n${HELP}`);
  const { endings } = require('internal/process/process').inspected;
  if (!endings.includes(atExit)) endings.push(atExit);
  return true;
}

// SIGUSR1. Whoever may not listen lets the signal pass.
function openBySignal() {
  if (id !== undefined) return;
  try {
    open({ port: process.debugPort });
  } catch (error) {
    if (error.code !== 'ERR_ACCESS_DENIED') throw error;
  }
}

function close() {
  if (id === undefined) return;
  const address = url();
  id = undefined;
  native.stop();
  agent.serve();
  if (settings.publishes.stderr) say(`Debugger ending on ${address}\n${HELP}`);
}

// Until a client says that the program may start.
function wait() {
  if (id === undefined) {
    throw withCode(Error, 'ERR_INSPECTOR_NOT_ACTIVE', 'Inspector is not active');
  }
  agent.isWaiting = true;
  agent.tellAll('NodeRuntime', 'waitingForDebugger', () => ({}));
  agent.serve(() => !agent.isWaiting);
}

// The last thing that a program does. Clients may still look at it.
function atExit() {
  if (id === undefined) return;
  native.refuse();
  agent.serve();
  if (agent.hasRemote()) {
    const told = [...agent.sessions].filter((session) => session.state.tellsEnd);
    for (const session of told) session.tell('NodeRuntime.waitingForDisconnect', {});
    if (told.length === 0) require('internal/inspector/runtime').tellDestroyed();
    say('Waiting for the debugger to disconnect...');
    agent.serve(() => !agent.hasRemote());
    if (told.length > 0) require('internal/inspector/runtime').tellDestroyed();
  }
  id = undefined;
  native.stop();
}

module.exports = { settings, open, openBySignal, close, wait, url, isOpen: () => id !== undefined };
