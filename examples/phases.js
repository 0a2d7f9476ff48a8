// Goes once through everything that an event loop does, and says which phase it is in.
'use strict';
const fs = require('fs');
const net = require('net');

function say(phase, text) {
  console.log(`${phase.padEnd(9)} ${text}`);
}

// What follows a callback before the loop goes on.
function afterIt() {
  process.nextTick(function tick() {
    say('  tick', 'nextTick, as soon as the callback has returned');
  });
  Promise.resolve().then(function job() {
    say('  promise', 'then the promises');
  });
}

function onTimer() {
  say('timers', 'a timer is due');
  afterIt();
  net.connect('/no/such/socket').on('error', onRefused);
}

function onRefused(error) {
  say('pending', `what failed at once is told one turn later: ${error.code}`);
  fs.readFile(__filename, onFile);
}

function onFile(error, text) {
  say('poll', `a thread of the pool has read a file: ${text.length > 0}`);
  afterIt();
  setTimeout(afterFile, 0);
  setImmediate(onImmediate);
}

function onImmediate() {
  say('check', 'an immediate comes right after poll, before any timer');
}

function afterFile() {
  say('timers', 'the next turn begins with its timers');
  const server = net.createServer(onConnection).listen(0, '127.0.0.1', function onListening() {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', onData);
    client.on('close', function onClose() {
      say('closing', 'the socket is closed');
      server.close(blockTheLoop);
    });
  });
}

function onConnection(socket) {
  say('poll', 'somebody connects');
  socket.end('hello');
}

function onData(data) {
  say('poll', `data has arrived: ${data}`);
}

function blockTheLoop() {
  setTimeout(function heartbeat() {
    say('timers', 'a timer of 5 ms that had to wait for that');
  }, 5);
  setImmediate(function parseConfig() {
    const end = Date.now() + 40;
    while (Date.now() < end);
    say('check', 'a callback that keeps everything waiting for 40 ms');
  });
}

process.once('beforeExit', function onIdle() {
  say('(none)', 'beforeExit: nothing keeps the loop alive');
});
process.on('exit', function onExit(code) {
  say('(none)', `exit: ${code}`);
});

say('(none)', 'the script itself runs before the loop turns');
afterIt();
setTimeout(onTimer, 1);
