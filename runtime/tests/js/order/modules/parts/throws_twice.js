'use strict';
console.log('loading', globalThis.attempt);
if (globalThis.attempt < 3) {
  throw new Error(`attempt ${globalThis.attempt}`);
}
exports.value = 'loaded';
