'use strict';
// The program that is debugged: started here, or found where it listens.

const { once } = require('events');
const net = require('net');
const { spawn } = require('child_process');
const { withCode } = require('internal/errors/errors');

const LISTENING = /Debugger listening on ws:\/\/\[?(.+?)\]?:(\d+)\//;
const PATIENCE = 2000; // ms, with a port that is in use

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function isFree(host, port) {
  const socket = net.connect(port, host);
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}

async function awaitPort(host, port) {
  const end = Date.now() + PATIENCE;
  while (!await isFree(host, port)) {
    if (Date.now() > end) {
      throw withCode(Error, 'ERR_DEBUGGER_STARTUP_ERROR',
        `Timeout (${PATIENCE}) waiting for ${host}:${port} to be free`);
    }
    await wait(100);
  }
}

// { child, host, port } of a program that waits for us; its output goes to `print`.
async function launch({ host, port, script, args }, print) {
  if (port !== 0) await awaitPort(host, port);
  const child = spawn(process.execPath, [`--inspect-brk=${host}:${port}`, script, ...args]);
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  child.stdout.on('data', (text) => print(text, 'stdout'));
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (text) => {
      print(text, 'stderr');
      said += text;
      const match = LISTENING.exec(said);
      if (match) resolve({ child, host: match[1], port: +match[2] });
    });
    child.on('exit', () => reject(withCode(Error, 'ERR_DEBUGGER_STARTUP_ERROR',
      'The program ended before it could be debugged')));
  });
}

const USAGE = `Usage: phasor inspect script.js
       phasor inspect <host>:<port>
       phasor inspect --port=<port> Use 0 for random port assignment
       phasor inspect -p <pid>
`;

// What the command line asks for.
function readArguments(args) {
  const target = { host: '127.0.0.1', port: 9229, script: args[0], args: args.slice(1) };
  const place = /^([^:]+):(\d+)$/.exec(args[0]);
  const port = /^--(?:port|debug-port|inspect-port)=(\d+)$/.exec(args[0]);
  if (place !== null) {
    return { host: place[1], port: +place[2], isRemote: true };
  }
  if (port !== null) {
    return { ...target, port: +port[1], script: args[1], args: args.slice(2) };
  }
  return target;
}

module.exports = { launch, readArguments, USAGE };
