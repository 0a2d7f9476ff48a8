'use strict';
// The date of responses: made once a second.

let cached;

function utcDate() {
  if (cached === undefined) {
    const now = new Date();
    cached = now.toUTCString();
    setTimeout(() => { cached = undefined; }, 1000 - now.getMilliseconds()).unref();
  }
  return cached;
}

module.exports = { utcDate };
