'use strict';
// Whether a history of operations is linearizable: whether each could have happened at one moment
// between its call and its return, so that all of them together are what one copy would have done.
//
// The search is that of Wing and Gong: whatever was called before anything else returned may have
// happened first. A set of operations that was tried with the same state is not tried again, and
// keys of a map are looked at one by one, because operations on one say nothing about the others.

// What an operation makes of a state; undefined: it could not have had this result.
const models = {
  register: {
    first: null,
    step(state, { what, value, result, known }) {
      switch (what) {
        case 'write': return value;
        case 'read': return !known || same(result, state) ? state : undefined;
        case 'cas': {
          const swaps = same(state, value[0]);
          if (known && Boolean(result) !== swaps) return undefined;
          return swaps ? value[1] : state;
        }
        default: throw new TypeError(`a register has no operation ${what} (read, write, cas)`);
      }
    },
  },
  queue: {
    first: [],
    step(state, { what, value, result, known }) {
      if (what === 'enqueue') return [...state, value];
      if (what !== 'dequeue') {
        throw new TypeError(`a queue has no operation ${what} (enqueue, dequeue)`);
      }
      const head = state.length > 0 ? state[0] : null;
      return !known || same(result ?? null, head) ? state.slice(1) : undefined;
    },
  },
  lock: {
    first: null,
    step(state, { what, by, result, known }) {
      if (what === 'release') return state === by ? null : undefined;
      if (what !== 'acquire') {
        throw new TypeError(`a lock has no operation ${what} (acquire, release)`);
      }
      const takes = state === null;
      if (known && (result ?? true) === false) return takes ? undefined : state;
      return takes ? by : undefined;
    },
  },
};
models.map = models.register;

function same(one, other) {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

// operations: {by, what, value, result, called, returned, known}; those that never returned may
// have happened at any time, or not at all.
function isLinearizable(operations, model) {
  const tried = new Set();
  let wanted = 0n;
  operations.forEach((one, i) => { if (one.known) wanted |= 1n << BigInt(i); });
  function search(done, state) {
    if ((done & wanted) === wanted) return true;
    const key = `${done} ${JSON.stringify(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const open = operations.filter((_, i) => (done >> BigInt(i) & 1n) === 0n);
    const end = Math.min(...open.map((one) => one.returned));
    return open.some((one) => {
      if (one.called > end) return false;
      const next = model.step(state, one);
      return next !== undefined && search(done | 1n << BigInt(operations.indexOf(one)), next);
    });
  }
  return search(0n, model.first);
}

function describe(operations) {
  return operations.map(({ by, what, value, result, called, returned, known }) => {
    const times = [called, known ? returned : '-'].map((one) => String(one).padStart(4)).join(' ');
    const argument = value === undefined ? '' : ` ${JSON.stringify(value)}`;
    const answer = known ? ` → ${JSON.stringify(result) ?? 'done'}` : '';
    return `  ${times}  ${by}: ${what}${argument}${answer}`;
  }).join('\n');
}

// events: {id, kind: 'call' or 'return' or 'failed', by, what, key, value}, in their order
function operationsOf(events) {
  const operations = new Map();
  events.forEach(({ id, kind, by, what, key, value }, place) => {
    if (kind === 'call') {
      operations.set(id, { by, what, key, value, called: place, returned: Infinity, known: false });
      return;
    }
    if (kind === 'failed') { // it is certain that nothing has happened
      operations.delete(id);
      return;
    }
    Object.assign(operations.get(id), { result: value, returned: place, known: true });
  });
  return [...operations.values()];
}

// undefined, or a text that says which operations contradict each other
function contradiction(events, kind) {
  const model = models[kind];
  const byKey = new Map();
  for (const one of operationsOf(events)) {
    const key = kind === 'map' ? JSON.stringify(one.key ?? null) : '';
    if (!byKey.has(key)) byKey.set(key, []);
    byKey.get(key).push(one);
  }
  for (const [key, operations] of byKey) {
    if (!isLinearizable(operations, model)) {
      return `the history of ${kind === 'map' ? `the key ${key}` : `the ${kind}`} is not ` +
        `linearizable (called, returned):\n${describe(operations)}`;
    }
  }
  return undefined;
}

module.exports = { contradiction, kinds: Object.keys(models) };
