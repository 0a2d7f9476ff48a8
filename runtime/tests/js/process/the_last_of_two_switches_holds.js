'use strict';
// An option and its opposite: the later one is taken.

const { spawnSync } = require('child_process');

const code = 'new Buffer(0); console.log(process.noDeprecation, process.throwDeprecation, ' +
  'process.traceDeprecation, process.noProcessWarnings, process.traceProcessWarnings)';
for (const options of ['--warnings', '--no-warnings', '--no-warnings --warnings',
  '--warnings --no-warnings', '--no-deprecation --deprecation',
  '--throw-deprecation --no-throw-deprecation', '--trace-warnings --no-trace-warnings',
  '--trace-deprecation --no-trace-deprecation']) {
  const { stdout, stderr } = spawnSync(process.execPath, [...options.split(' '), '-e', code],
    { encoding: 'utf8' });
  console.log(options, stdout.trim(), stderr.includes('DEP0005'), stderr.includes('    at '));
}
