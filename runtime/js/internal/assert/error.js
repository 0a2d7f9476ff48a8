'use strict';
const { inspect } = require('internal/inspect/inspect');
const { validateObject } = require('internal/errors/validators');

const HEADS = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notDeepEqualValues: 'Expected values not to be loosely deep-equal:',
  notIdentical: 'Values have same structure but are not reference-equal:',
};

// Everything of a value, in an order that does not depend on how it was made.
const WHOLE = {
  compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity,
  showHidden: false, showProxy: false, sorted: true, getters: true,
};

function show(value) {
  return inspect(value, WHOLE);
}

// Colours take no place on a line. What a text holds itself is escaped by inspect.
function uncoloured(text) {
  return text.replace(/\x1b\[\d+m/g, '');
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

const MOST_LINES = 50;
const LONGEST = 512;

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

// The first lines of a long text.
function shortened(text) {
  const lines = text.split('\n');
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 4), '...'] : lines;
}

// A message of the program's stands where ours would.
function difference(actual, expected, operator, given) {
  const shown = show(actual);
  const wanted = show(expected);
  const isReference = operator === 'strictEqual' && ((isObject(actual) && isObject(expected)) ||
    (typeof actual === 'function' && typeof expected === 'function'));
  const head = given ?? HEADS[isReference ? 'strictEqualObject' : operator];
  if (shown === wanted) {
    return `${given ?? HEADS.notIdentical}\n\n${shortened(shown).join('\n')}\n`;
  }
  const { compareLines, caret } = require('internal/assert/diff');
  let mark = '';
  if (!shown.includes('\n') && !wanted.includes('\n')) {
    const [a, b] = [shown, wanted].map(uncoloured);
    if (a.length + b.length > 12) mark = isReference ? '' : caret(a, b);
    else if (!isObject(actual) && !isObject(expected) && (actual !== 0 || expected !== 0))
      return `${head}\n\n${shown} !== ${wanted}\n`;
  }
  const diff = compareLines(shown.split('\n'), wanted.split('\n'));
  return `${head}\n+ actual - expected${diff.isCut ? ' ... Lines skipped' : ''}\n\n${
    diff.lines.join('\n')}${mark}`;
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
    const lines = shortened(show(actual));
    return lines.length === 1 ? `${head}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`
      : `${head}\n\n${lines.join('\n')}\n`;
  }
  const whole = show(actual);
  const other = show(expected);
  if (operator === 'notDeepEqual' && whole === other)
    return cut(`${HEADS.notDeepEqual}\n\n${whole}`, 2 * LONGEST);
  const a = cut(whole, LONGEST);
  const b = cut(other, LONGEST);
  if (operator === 'deepEqual')
    return `${HEADS.deepEqual}\n\n${a}\n\nshould loosely deep-equal\n\n${b}`;
  if (operator === 'notDeepEqual') {
    return `${HEADS.notDeepEqualValues}\n\n${a}\n\nshould not loosely deep-equal\n\n${b}`;
  }
  return `${a} ${operator} ${b}`;
}

// Without its stack, which is never the same.
function withoutStack(error) {
  const copy = Object.assign({ __proto__: Object.getPrototypeOf(error) }, error);
  Object.defineProperty(copy, 'message', { __proto__: null, value: error.message });
  if (Object.hasOwn(error, 'cause'))
    copy.cause = error.cause instanceof Error ? withoutStack(error.cause) : error.cause;
  return copy;
}

const MOST_SHOWN_LINES = 10;

function shortText(value) {
  if (typeof value !== 'string') return value;
  const lines = value.split('\n', MOST_SHOWN_LINES + 1);
  if (lines.length > MOST_SHOWN_LINES)
    return `${lines.slice(0, MOST_SHOWN_LINES).join('\n')}\n...`;
  return value.length > LONGEST ? `${value.slice(LONGEST)}...` : value;
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { operator, stackStartFn = options.stackStartFunction } = options;
    let { actual, expected } = options;
    const given = [actual, expected];
    if (actual instanceof Error && expected instanceof Error) {
      actual = withoutStack(actual);
      expected = withoutStack(expected);
    }
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
    [this.actual, this.expected] = given;
    this.operator = operator;
    Error.captureStackTrace(this, stackStartFn || AssertionError);
    void this.stack; // is written with this name
    this.name = 'AssertionError';
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](depth, ctx) {
    const { actual, expected } = this;
    this.actual = shortText(actual);
    this.expected = shortText(expected);
    try {
      return inspect(this, { ...ctx, customInspect: false, depth: 0 });
    } finally {
      this.actual = actual;
      this.expected = expected;
    }
  }
}

module.exports = { AssertionError };
