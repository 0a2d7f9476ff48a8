'use strict';
const fs = require('fs');
const { Session } = require('inspector');

const session = new Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ? error.message : result; });
  return answer;
};
const show = (name, file) => {
  const { result } = post('Profiler.takePreciseCoverage');
  const text = fs.readFileSync(file, 'utf8');
  console.log(name);
  for (const { url, functions } of result) {
    if (!url.endsWith('/blocks.js')) continue;
    for (const { functionName, ranges, isBlockCoverage } of functions) {
      // V8 counts the making of fields among the blocks of nothing.
      if (functionName.startsWith('<')) continue;
      console.log(functionName, isBlockCoverage);
      for (const { startOffset, endOffset, count } of ranges) {
        const part = text.slice(startOffset, endOffset);
        console.log(' ', startOffset, endOffset, count, JSON.stringify(part).slice(0, 60));
      }
    }
  }
};

const file = require.resolve('./covered/blocks.js');
console.log(post('Profiler.takePreciseCoverage'), post('Profiler.startPreciseCoverage'));
post('Profiler.enable');
console.log(post('Profiler.takePreciseCoverage'));
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
require(file);
setImmediate(() => {
  show('detailed', file);
  post('Profiler.stopPreciseCoverage');
  console.log(post('Profiler.takePreciseCoverage'));
});
