'use strict';
// Error.prepareStackTrace is a function from the start: setting it back changes nothing.

const { prepareStackTrace } = Error;
console.log(typeof prepareStackTrace, prepareStackTrace.name, prepareStackTrace.length);
const error = new Error('message');
Error.prepareStackTrace = (made, sites) => prepareStackTrace(made, sites.slice(0, 1));
const lines = error.stack.split('\n');
console.log(lines.length, lines[0], /^ {4}at Object\.<anonymous> \(.*:6:15\)$/.test(lines[1]));
Error.prepareStackTrace = prepareStackTrace;
console.log(new Error('other').stack.split('\n')[0]);
Error.prepareStackTrace = undefined;
console.log(new Error('third').stack.split('\n')[0]);
