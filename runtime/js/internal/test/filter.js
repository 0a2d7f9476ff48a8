'use strict';
// Which tests run: by their names, and by "only".

function matches(patterns, test) {
  let name = '';
  for (let at = test; at !== null && at.parent !== null; at = at.parent) {
    name = name === '' ? at.name : `${at.name} ${name}`;
  }
  return patterns.some((pattern) => {
    pattern.lastIndex = 0;
    if (pattern.test(test.name)) return true;
    pattern.lastIndex = 0;
    return pattern.test(name);
  });
}

// The reason to skip a test, or undefined.
function wants(test, config = {}) {
  const { namePatterns, skipPatterns, only } = config;
  if (test.parent === null) return undefined;
  const isSuite = test.reportedType === 'suite' || test.isSuite;
  if (namePatterns?.length > 0 && !isSuite && !test.parent.isChosen) {
    if (!matches(namePatterns, test)) return 'test name does not match pattern';
  }
  if (namePatterns?.length > 0) test.isChosen = test.parent.isChosen || matches(namePatterns, test);
  if (skipPatterns?.length > 0 && matches(skipPatterns, test)) {
    return 'test name matches skip pattern';
  }
  const isRestricted = test.parent.parent === null ? only : test.parent.runOnlySubtests;
  if (isRestricted && !test.only) return "'only' option not set";
  return undefined;
}

// "/text/flags" or text
function patternOf(text, name = '--test-name-pattern') {
  if (text instanceof RegExp) return text;
  const match = /^\/(.*)\/([a-z]*)$/.exec(text);
  try {
    return match ? new RegExp(match[1], match[2]) : new RegExp(text);
  } catch (error) {
    const { invalidArgValue } = require('internal/errors/errors');
    const reason = match && /flags/.test(error.message)
      ? `Invalid flags supplied to RegExp constructor '${match[2]}'` : error.message;
    throw invalidArgValue(name, text, `is an invalid regular expression. ${reason}`);
  }
}

module.exports = { wants, patternOf };
