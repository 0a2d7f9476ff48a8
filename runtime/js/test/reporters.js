'use strict';
// node:test/reporters: each is loaded when it is asked for.

const files = { dot: 'dot', junit: 'junit', spec: 'spec', tap: 'tap', lcov: 'lcov' };
for (const [name, file] of Object.entries(files)) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: true,
    get: () => require(`internal/test/report_${file}`),
  });
}
