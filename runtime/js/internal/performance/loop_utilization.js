'use strict';
// How much of its time a loop works: of this thread, or of a worker's.

function made(active, idle) {
  return { idle, active, utilization: active + idle > 0 ? active / (active + idle) : 0 };
}

// `times` gives [milliseconds since the loop began, of which idle], or undefined before that.
function utilization(times, first, second) {
  if (first && second) return made(first.active - second.active, first.idle - second.idle);
  const now = times();
  if (now === undefined || now[0] <= 0) return made(0, 0);
  const [total, idle] = now;
  if (!first) return made(total - idle, idle);
  const idleSince = idle - first.idle;
  const activeSince = total - idle - first.active;
  return made(activeSince, idleSince);
}

module.exports = { utilization };
