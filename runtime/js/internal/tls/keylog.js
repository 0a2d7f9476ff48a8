'use strict';
// --tls-keylog=FILE: the secrets of all connections, for programs that read recorded traffic.
const { last } = require('internal/boot/options');

let isWarned = false;

function warn(file) {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning('Using --tls-keylog makes TLS connections insecure by writing secret key ' +
    `material to file ${file}`);
}

// Sockets of clients, or servers
function logKeys(emitter) {
  const file = last('tls-keylog');
  if (file === undefined) return;
  warn(file);
  emitter.on('keylog', (line) => require('fs').appendFile(file, line, { mode: 0o600 }, () => {}));
}

module.exports = { logKeys };
