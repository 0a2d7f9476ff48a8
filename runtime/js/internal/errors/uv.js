'use strict';
// The errors of the loop: a Map from a status to its name and its words.

let known;

function all() {
  if (known !== undefined) return known;
  const { errorName, errorText } = binding('process');
  known = new Map();
  for (let status = -1; status > -4100; status--) {
    if (status === -200) status = -3000;
    if (status === -3020) status = -4020;
    const name = errorName(status);
    if (/^E[A-Z0-9_]+$|^EOF$|^UNKNOWN$/.test(name)) known.set(status, [name, errorText(status)]);
  }
  return known;
}

module.exports = { all };
