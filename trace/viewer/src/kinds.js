// The words and numbers of DATA.md.

export const ITERATION = 1;
export const PHASE = 2;
export const WAIT = 3;
export const CALLBACK = 4;
export const TICK = 5;
export const WORK = 6;
export const SUBMIT = 7;
export const DONE = 8;
export const WAKE = 9;
export const BIRTH = 10;
export const CLOSE = 11;
export const DROPPED = 12;
export const MARK = 13;
export const OUTSIDE = 14;
export const SHARES = 15;
export const SAMPLE = 16;

export const KIND_NAMES = [
  '',
  'iteration',
  'phase',
  'poll wait',
  'callback',
  'tick',
  'work',
  'submit',
  'done',
  'wake-up',
  'birth',
  'close',
  'dropped',
  'mark',
  'outside of the loop',
  'shares',
  'sample',
];

// Details of a mark; the last two are of tasks.
export const MARK_NAMES = ['mark', 'measure', 'console.time', 'mark', 'waits for', 'runs'];

export const TASK_WAITS = 4;

// From here on a callback blocks its loop: the report's rule.
export const BLOCK = 10e6;

export const TIMERS = 0;
export const POLL = 4;
export const NO_PHASE = 255;

export const PHASES = [
  { name: 'timers', about: 'runs the timers whose time has come' },
  { name: 'pending', about: 'runs I/O callbacks that were put off in the last turn' },
  { name: 'idle', about: 'runs idle handles, in every turn' },
  { name: 'prepare', about: 'runs just before the loop looks for I/O' },
  { name: 'poll', about: 'sleeps until something is ready, then runs its callbacks' },
  { name: 'check', about: 'runs just after I/O: this is where setImmediate lives' },
  { name: 'closing', about: 'runs the close callbacks' },
];
