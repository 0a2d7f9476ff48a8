// needs: iterators
// How a loop over an async iterator ends: what is called, and what is waited for.
const log = console.log;

function steps(n, { fails, rejects, isNumber, throwsDone }) {
  log('next');
  if (fails) throw new Error('next');
  if (rejects) return Promise.reject(new Error('rejected'));
  if (isNumber) return Promise.resolve(5);
  if (throwsDone) return { get done() { throw new Error('done'); } };
  return Promise.resolve({ value: n, done: n > 2 });
}

function make(options) {
  let n = 0;
  const made = {
    [Symbol.asyncIterator]() { return this; },
    next: () => steps(n++, options),
    async return() {
      log('return');
      await null;
      log('returned');
      if (options.returnFails) throw new Error('return');
      return options.returnsNumber ? 5 : {};
    },
  };
  if (options.noReturn) delete made.return;
  return made;
}

async function leave(how, options) {
  outer: for await (const turn of [1, 2]) {
    for await (const value of make(options)) {
      if (how === 'throw') throw new Error('body');
      if (how === 'break') break;
      if (how === 'return') return 7;
      if (how === 'continue') continue outer;
      if (how === 'reject') await Promise.reject(new Error('body'));
      if (how === 'nest') for await (const other of make({ rejects: true })) log(other);
    }
  }
  return 8;
}

async function* generate() {
  try {
    for await (const value of make({})) yield value;
  } finally {
    log('generator is left');
  }
}

(async () => {
  const kinds = ['noReturn', 'returnFails', 'returnsNumber', 'fails', 'rejects', 'isNumber',
    'throwsDone'];
  for (const options of [{}, ...kinds.map((kind) => ({ [kind]: true }))]) {
    for (const how of ['throw', 'break', 'return', 'continue', 'reject', 'nest']) {
      log(JSON.stringify(options), how);
      await leave(how, options).then((value) => log('value', value),
        (error) => log('caught', error.constructor.name));
    }
  }
  try {
    for await (const value of generate()) throw new Error(`at ${value}`);
  } catch (error) {
    log(error.message);
  }
  const generator = generate();
  log(await generator.next(), await generator.return(9));
})();
