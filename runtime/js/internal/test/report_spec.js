'use strict';
// Results as a tree, for people.

const { Readable, Transform } = require('stream');
const { relative } = require('path');
const { table } = require('internal/test/report_coverage');
const { colors, SYMBOLS, line } = require('internal/test/report_lines');

const indentOf = (nesting) => '  '.repeat(nesting);

class SpecReporter extends Transform {
  #open = []; // tests that have started and were not told yet
  #told = []; // those with tests inside, whose names were told
  #failed = [];

  constructor() { super({ writableObjectMode: true }); }

  #heads() {
    let text = '';
    while (this.#open.length > 1) {
      const parent = this.#open.shift();
      this.#told.unshift(parent);
      text += `${indentOf(parent.nesting)}${SYMBOLS['arrow:right']}${parent.name}\n`;
    }
    return text;
  }

  #result(type, data) {
    const heads = this.#heads();
    this.#open.pop();
    let hasChildren = false;
    if (this.#told[0] && this.#told[0].nesting === data.nesting &&
        this.#told[0].name === data.name) {
      this.#told.shift();
      hasChildren = true;
    }
    const { error } = data.details;
    if (type === 'test:fail' && error?.failureType !== 'subtestsFailed') this.#failed.push(data);
    const shown = line(type, data, indentOf(data.nesting), hasChildren &&
      error?.failureType === 'subtestsFailed');
    const isTold = type === 'test:fail' && error && error.failureType !== 'subtestsFailed';
    return `${heads}${shown}${isTold ? '\n' : ''}`;
  }

  #textOf({ type, data }) {
    const c = colors();
    switch (type) {
      case 'test:start':
        // Those of the same depth or deeper have ended without a word.
        this.#open = this.#open.filter((one) => one.nesting < data.nesting);
        this.#open.push(data);
        return undefined;
      case 'test:fail': case 'test:pass': return this.#result(type, data);
      case 'test:stderr': case 'test:stdout': return data.message;
      case 'test:diagnostic':
        return `${c.blue}${indentOf(data.nesting)}${SYMBOLS[type]}${data.message}${c.white}\n`;
      case 'test:coverage':
        return table(data.summary)
          .map((row) => `${c.blue}${SYMBOLS['test:diagnostic']}${row}${c.white}\n`).join('');
      default: return undefined;
    }
  }

  _transform(event, encoding, done) { done(null, this.#textOf(event)); }

  _flush(done) {
    if (this.#failed.length === 0) {
      done(null, '');
      return;
    }
    const c = colors();
    let text = `\n${c.red}${SYMBOLS['test:fail']}failing tests:${c.white}\n`;
    for (const data of this.#failed) {
      const shown = line('test:fail', data, '', false);
      const file = data.file && relative(process.cwd(), data.file);
      text += data.file ? `\ntest at ${file}:${data.line}:${data.column}\n${shown}` : `\n${shown}`;
    }
    done(null, text);
  }
}

// May be called without new, and with what it is to report.
module.exports = new Proxy(SpecReporter, {
  apply(target, self, [source]) {
    const made = new SpecReporter();
    if (typeof source?.[Symbol.asyncIterator] === 'function') Readable.from(source).pipe(made);
    return made;
  },
});
