'use strict';
// A dot for each test that passes, an X for each that fails, then the failures.

const { colors, line } = require('internal/test/report_lines');

module.exports = async function* dot(source) {
  let count = 0;
  const width = Math.max(process.stdout.columns ?? 20, 20);
  const failed = [];
  const c = colors();
  for await (const { type, data } of source) {
    if (type === 'test:pass') yield `${c.green}.${c.reset}`;
    if (type === 'test:fail') {
      yield `${c.red}X${c.reset}`;
      failed.push(data);
    }
    if ((type === 'test:fail' || type === 'test:pass') && ++count === width) {
      yield '\n';
      count = 0;
    }
  }
  yield '\n';
  if (failed.length > 0) {
    yield `\n${c.red}Failed tests:${c.white}\n\n`;
    for (const data of failed) yield line('test:fail', data, '', false);
  }
};
