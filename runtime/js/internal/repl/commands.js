'use strict';
// The commands of the prompt that begin with a dot.

const fs = require('fs');

const NO_FILE = 'The "file" argument must be specified\n';

function save(file) {
  try {
    if (file === '') throw new TypeError(NO_FILE);
    fs.writeFileSync(file, this.lines.join('\n'));
    this.output.write(`Session saved to: ${file}\n`);
  } catch (error) {
    this.output.write(error.message === NO_FILE ? NO_FILE : `Failed to save: ${file}\n`);
  }
  this.displayPrompt();
}

function load(file) {
  try {
    if (file === '') throw new TypeError(NO_FILE);
    if (fs.statSync(file).isFile()) {
      this._edit(true);
      this._isLoading = true;
      this.write(fs.readFileSync(file, 'utf8'));
      this._isLoading = false;
      this._edit(false);
      this.write('\n');
    } else {
      this.output.write(`Failed to load: ${file} is not a valid file\n`);
    }
  } catch (error) {
    this.output.write(error.message === NO_FILE ? NO_FILE : `Failed to load: ${file}\n`);
  }
  this.displayPrompt();
}

function help() {
  const names = Object.keys(this.commands).sort();
  const longest = Math.max(...names.map((name) => name.length));
  for (const name of names) {
    const text = this.commands[name].help;
    const gap = ' '.repeat(longest - name.length + 3);
    this.output.write(`.${name}${text ? gap + text : ''}\n`);
  }
  this.output.write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  this.displayPrompt();
}

function leaveExpression() {
  this.clearBufferedCommand();
  this.displayPrompt();
}

function clear() {
  this.clearBufferedCommand();
  if (!this.useGlobal) {
    this.output.write('Clearing context...\n');
    this.resetContext();
  }
  this.displayPrompt();
}

function edit() {
  this._edit(true);
  this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
}

// In the order of .help.
function defineCommands(server) {
  const table = {
    break: ['Sometimes you get stuck, this gets you out', leaveExpression],
    clear: [server.useGlobal ? 'Alias for .break' : 'Break, and also clear the local context',
      clear],
    exit: ['Exit the REPL', function exit() { this.close(); }],
    help: ['Print this help message', help],
    save: ['Save all evaluated commands in this REPL session to a file', save],
    load: ['Load JS from a file into the REPL session', load],
    editor: ['Enter editor mode', edit],
  };
  if (!server.terminal) delete table.editor;
  for (const [name, [text, action]] of Object.entries(table)) {
    server.defineCommand(name, { help: text, action });
  }
}

module.exports = { defineCommands };
