'use strict';
const { IncomingMessage } = require('http');

function readStart(socket) {
  if (socket && !socket._paused && socket.readable) socket.resume();
}

function readStop(socket) {
  if (socket) socket.pause();
}

module.exports = { IncomingMessage, readStart, readStop };
