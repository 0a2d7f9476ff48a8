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

function defineCommands(server) {
  server.defineCommand('break', {
    help: 'Sometimes you get stuck, this gets you out',
    action() {
      this.clearBufferedCommand();
      this.displayPrompt();
    },
  });
  server.defineCommand('clear', {
    help: server.useGlobal ? 'Alias for .break' : 'Break, and also clear the local context',
    action() {
      this.clearBufferedCommand();
      if (!this.useGlobal) {
        this.output.write('Clearing context...\n');
        this.resetContext();
      }
      this.displayPrompt();
    },
  });
  server.defineCommand('exit', { help: 'Exit the REPL', action() { this.close(); } });
  server.defineCommand('help', { help: 'Print this help message', action: help });
  server.defineCommand('save', {
    help: 'Save all evaluated commands in this REPL session to a file', action: save,
  });
  server.defineCommand('load', {
    help: 'Load JS from a file into the REPL session', action: load,
  });
  if (!server.terminal) return;
  server.defineCommand('editor', {
    help: 'Enter editor mode',
    action() {
      this._edit(true);
      this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
    },
  });
}

module.exports = { defineCommands };
