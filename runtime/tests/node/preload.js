'use strict';
// The names of Node's inside that its own tests ask for, made of our own functions. Run with
// --expose-internals, which lets programs reach our internal modules; without it, this does
// nothing. require('internal/NAME') is internals/NAME.js, read when it is first asked for; in
// these files, require() finds our own modules and "exposed/NAME" another of them, and binding()
// is what our internal modules have.

// No regular expression runs here: a test looks at what the last one of the program left.
const OPTION = ['--expose-internals', '--expose_internals'];
if (process.execArgv.some((word) => OPTION.includes(word))) expose();

function expose() {
  const path = require('path');
  const { compileFunction } = require('vm');
  const builtins = require('internal/builtins');
  const { readFileSync, lookUp } = builtins.binding('fs');
  const made = new Map();

  const fileOf = (name) => path.join(__dirname, 'internals', `${name}.js`);

  function load(name) {
    if (made.has(name)) return made.get(name).exports;
    const module = { exports: {}, id: name };
    made.set(name, module);
    const start = compileFunction(readFileSync(fileOf(name), true, 0),
      ['exports', 'require', 'module', 'binding'], { filename: `node:internal/${name}` });
    start(module.exports, find, module, builtins.binding);
    return module.exports;
  }

  function find(id) {
    return id.startsWith('exposed/') ? load(id.slice('exposed/'.length)) : builtins.requireOwn(id);
  }

  builtins.exposed = (id) => {
    if (!id.startsWith('internal/')) return undefined;
    const name = id.slice('internal/'.length);
    return made.has(name) || lookUp(fileOf(name)) === 1 ? () => load(name) : undefined;
  };
}
