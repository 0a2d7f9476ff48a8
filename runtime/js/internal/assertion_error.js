'use strict';
const { inspect } = require('internal/inspect');

const HEADS = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values identical but not reference-equal:',
};

function show(value) {
  return inspect(value, {
    compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity,
    showHidden: false, showProxy: false, sorted: true, getters: true, breakLength: Infinity,
  });
}

// The longest common subsequence of two lists of lines.
function edits(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1
        : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  const out = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push([' ', a[i]]);
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || table[i + 1][j] >= table[i][j + 1])) {
      out.push(['+', a[i++]]);
    } else {
      out.push(['-', b[j++]]);
    }
  }
  return out;
}

// A message of the program's stands where ours would.
function difference(actual, expected, operator, given) {
  const a = show(actual).split('\n');
  const b = show(expected).split('\n');
  if (operator === 'strictEqual' &&
      ((typeof actual === 'object' && actual !== null && typeof expected === 'object' &&
        expected !== null) || (typeof actual === 'function' && typeof expected === 'function'))) {
    operator = 'strictEqualObject';
  }
  if (a.length === 1 && b.length === 1 && a[0] !== b[0]) {
    const simple = (typeof actual !== 'object' || actual === null) &&
      (typeof expected !== 'object' || expected === null) && (actual !== 0 || expected !== 0);
    if (simple && a[0].length + b[0].length <= 12) {
      return `${given ?? HEADS[operator]}\n\n${a[0]} !== ${b[0]}\n`;
    }
  }
  if (a.join('\n') === b.join('\n')) {
    const lines = a.slice(0, 50);
    return `${given ?? HEADS.notIdentical}\n\n${lines.join('\n')}\n`;
  }
  const lines = edits(a, b);
  const out = [];
  let skipped = false;
  for (let i = 0; i < lines.length; i++) {
    const near = lines.slice(Math.max(0, i - 2), i + 3).some(([mark]) => mark !== ' ') ||
      lines.length < 8;
    if (near) {
      out.push(`${lines[i][0]} ${lines[i][1]}`);
    } else if (!skipped || out[out.length - 1] !== '...') {
      out.push('...');
      skipped = true;
    }
  }
  const head = `${given ?? HEADS[operator]}\n+ actual - expected`;
  return `${head}${skipped ? ' ... Lines skipped' : ''}\n\n${
    out.join('\n')}${skipped ? '\n' : ''}`;
}

function message(operator, actual, expected) {
  if (operator === 'deepStrictEqual' || operator === 'strictEqual') {
    return difference(actual, expected, operator);
  }
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
    const isObject =
      (typeof actual === 'object' && actual !== null) || typeof actual === 'function';
    const head = operator === 'notStrictEqual' && isObject ? HEADS.notStrictEqualObject
      : HEADS[operator];
    const lines = show(actual).split('\n').slice(0, 50);
    return lines.length === 1 ? `${head}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`
      : `${head}\n\n${lines.join('\n')}\n`;
  }
  let a = show(actual);
  let b = show(expected);
  if (operator === 'deepEqual') {
    a = `${HEADS.deepEqual}\n\n${a}`;
    return `${a}\n\nshould loosely deep-equal\n\n${b}`;
  }
  if (operator === 'notDeepEqual') {
    return `${HEADS.notDeepEqual}\n\n${a}`;
  }
  if (a.length > 512) a = `${a.slice(0, 509)}...`;
  if (b.length > 512) b = `${b.slice(0, 509)}...`;
  return `${a} ${operator} ${b}`;
}

class AssertionError extends Error {
  constructor(options) {
    const { operator, stackStartFn, actual, expected } = options;
    const isCompared = operator === 'deepStrictEqual' || operator === 'strictEqual';
    if (options.message != null && options.message !== '' && isCompared) {
      super(difference(actual, expected, operator, String(options.message)));
    } else if (options.message != null && !isCompared) {
      super(String(options.message));
    } else {
      super(message(operator, actual, expected));
    }
    this.generatedMessage = options.message == null || options.message === 'Failed' ||
      (isCompared && options.message === '');
    Object.defineProperty(this, 'name', {
      __proto__: null, value: 'AssertionError [ERR_ASSERTION]', writable: true, configurable: true,
      enumerable: false,
    });
    this.code = 'ERR_ASSERTION';
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    Error.captureStackTrace(this, stackStartFn || AssertionError);
    this.name = 'AssertionError';
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](depth, ctx) {
    return inspect(this, { ...ctx, customInspect: false, depth: 0 });
  }
}

module.exports = { AssertionError };
