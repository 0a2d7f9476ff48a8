'use strict';
// How long a fetch waits: for its connection, for the head of the answer, for a piece of its body.

const { withCode } = require('internal/errors/errors');

const CONNECTION = 10_000;
const ANSWER = 300_000;

function late(what, detail = '') {
  const code = `UND_ERR_${what.toUpperCase()}_TIMEOUT`;
  const error = withCode(Error, code, `${what} Timeout Error${detail}`);
  error.name = `${what}TimeoutError`;
  return error;
}

function limitConnection(req, url) {
  const isSecure = url.protocol === 'https:';
  req.once('socket', (socket) => {
    if (!socket.connecting) return;
    const address = `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`;
    const timer = setTimeout(() => {
      req.destroy(late('Connect', ` (attempted address: ${address}, timeout: ${CONNECTION}ms)`));
    }, CONNECTION);
    const stop = () => clearTimeout(timer);
    socket.once(isSecure ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}

// `answer()` is undefined before the head has come. Who does not read what is there is not late;
// nor is a socket that is not connected yet, which has the agent's own limit.
function limitAnswer(req, answer) {
  req.setTimeout(ANSWER, () => {
    const res = answer();
    if (req.socket?.connecting) return;
    if (res === undefined) req.destroy(late('Headers'));
    else if (res.readableLength === 0) req.destroy(late('Body'));
  });
}

module.exports = { limitConnection, limitAnswer };
