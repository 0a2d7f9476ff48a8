'use strict';
// Coverage: what NODE_V8_COVERAGE, v8.takeCoverage, the inspector and the test runner tell of which
// functions and blocks ran.

const native = binding('coverage');
const { functionsOf } = require('internal/coverage/ranges');
const scripts = require('internal/inspector/scripts');

let users = 0;

// Whether it is counted from now on: what was compiled before is not. False: this engine can't.
function start() {
  if (!native.count(true)) return false;
  users++;
  return true;
}

function stop() {
  if (users > 0 && --users === 0) native.count(false);
}

// [{ scriptId, url, functions, source }] of each text, in the order in which they were compiled.
function take({ clears = false, isWanted = () => true } = {}) {
  const found = [];
  native.take(clears).reverse().forEach(([file, whole, buffer], i) => {
    const url = scripts.urlOf(file);
    if (file === scripts.HINT || url === '' || !isWanted(url)) return;
    const { text, headLength } = scripts.unwrap(whole);
    found.push({ scriptId: `${i + 1}`, url, functions: functionsOf(buffer, text, headLength),
      source: text });
  });
  return found;
}

module.exports = { start, stop, take };
