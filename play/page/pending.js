// What waits for the pending phase. The recording does not say when something is put off, but what
// it says later shows it: the answer came in the pending phase, or in poll although the kernel was
// not asked in between.

const PENDING = 1;
const POLL = 4;

// The indexes of the requests that are put off.
export function findPutOff(events, main) {
  const found = new Set();
  const open = new Map(); // number of a request → { index, waits }
  let phase = -1;
  let waits = 0;
  const answered = (key) => {
    const begun = open.get(key);
    if (begun === undefined) return;
    open.delete(key);
    if (phase === PENDING || (phase === POLL && begun.waits === waits)) found.add(begun.index);
  };
  const on = {
    phase: (number) => { phase = number; },
    wait: () => { waits++; },
    req: (key, type, index) => open.set(key, { index, waits }),
    submit: (key) => open.delete(key), // a thread has the answer
    cb: (kind, key) => answered(key),
    'req.': answered,
  };
  for (const [index, [, thread, kind, ...values]] of events.entries()) {
    if (thread === main && Object.hasOwn(on, kind)) on[kind](values[0], values[1], index);
  }
  return found;
}
