export const PHASES = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
export const MS = 1e6; // nanoseconds
// By which step one can go: everything, callbacks, phases, turns.
export const LEVEL = { event: 0, callback: 1, phase: 2, turn: 3 };
