'use strict';
// The history of a prompt in a file: read when it starts, written a moment after each line.

const fs = require('fs');
const path = require('path');
const { validateFunction } = require('internal/errors/validators');

const DEBOUNCE = 15; // ms

const UNOPENED = '\nError: Could not open history file.\nREPL session history will not be ' +
  'persisted.\n';
const NO_HOME = '\nError: Could not get the home directory.\nREPL session history will not be ' +
  'persisted.\n';
const DISABLED = '\nPersistent history support disabled. Set the NODE_REPL_HISTORY ' +
  'environment\nvariable to a valid, user-writable path to enable.\n';

function say(server, message) {
  server._writeToOutput(message);
  server._refreshLine();
}

// The first time that somebody looks for a line of it, a prompt says that it keeps none.
function explain(server) {
  Object.defineProperty(server, '_historyPrev', { configurable: true, writable: true,
    enumerable: false, value() {
      if (server.history.length === 0) say(server, DISABLED);
      delete server._historyPrev;
      server._historyPrev();
    } });
}

class History {
  #server;
  #file;
  #timer;
  #isWriting = false;
  #isPending = false;

  constructor(server, file) {
    this.#server = server;
    this.#file = file;
  }

  start(text) {
    const server = this.#server;
    if (text !== '') {
      server.history = text.split(/\r?\n+/).filter(Boolean).slice(0, server.historySize);
    }
    server.on('line', () => this.#later());
    for (const [name, value] of [['_flushing', false],
      ['_flushHistory', (done) => this.flush(done)]]) {
      Object.defineProperty(server, name,
        { configurable: true, writable: true, enumerable: false, value });
    }
  }

  #later() {
    this.#isPending = true;
    this.#server._flushing = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), DEBOUNCE);
  }

  #write(done) {
    clearTimeout(this.#timer);
    if (this.#isWriting) {
      if (done) this.#server.once('flushHistory', done);
      return;
    }
    this.#isPending = false;
    this.#isWriting = true;
    const lines = this.#server.history;
    const text = lines.length > 0 ? `${lines.join('\n')}\n` : '';
    fs.writeFile(this.#file, text, { mode: 0o600 }, (error) => {
      this.#isWriting = false;
      if (this.#isPending && !error) {
        this.#write(done);
        return;
      }
      this.#server._flushing = false;
      this.#server.emit('flushHistory');
      if (done) done();
    });
  }

  flush(done) { this.#write(done); }
}

// The text of the file, which is made if it is not there.
function read(file, done) {
  fs.open(file, 'a+', 0o600, (error, fd) => {
    if (error) {
      done(error);
      return;
    }
    fs.close(fd, () => fs.readFile(file, 'utf8', done));
  });
}

function setUp(server, given, done) {
  if (typeof given === 'function') [given, done] = [undefined, given];
  validateFunction(done, 'onHistoryFileLoaded');
  const withNone = (message) => {
    explain(server);
    if (message !== undefined) say(server, message);
    server.resume();
    done(null, server);
  };
  let file = typeof given === 'string' ? given.trim() : given;
  if (file === '') {
    withNone();
    return;
  }
  if (!file) {
    try {
      file = path.join(require('os').homedir(), '.phasor_history');
    } catch {
      withNone(NO_HOME);
      return;
    }
  }
  server.pause();
  read(file, (error, text) => {
    if (error) {
      withNone(UNOPENED);
      return;
    }
    new History(server, file).start(text);
    server.resume();
    done(null, server);
  });
}

module.exports = { setUp };
