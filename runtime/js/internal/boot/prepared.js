'use strict';
// In a simulated world what programs are likely to load is there before the world begins. None of
// these modules looks at the program, at its options, at a clock or at the world when it is loaded.

const MODULES = ['buffer', 'path', 'url', 'util', 'util/types', 'os', 'stream', 'fs', 'dns', 'net',
  'http', 'dgram', 'assert', 'internal/assert/error', 'internal/assert/call_tracker',
  'internal/util/compare', 'internal/dns/cares', 'internal/dns/queries', 'internal/dns/records',
  'internal/dns/resolver', 'internal/events/abort', 'internal/errors/dom_exception',
  'internal/performance/entry', 'internal/performance/observer',
  'internal/performance/resource_timing', 'internal/url/files', 'internal/url/idna',
  'internal/url/resolve', 'internal/url/setters', 'module', 'internal/modules/format',
  'internal/modules/resolve', 'internal/modules/sources', 'internal/errors/syntax',
  'internal/boot/options', 'internal/process/fatal_error', 'worker_threads',
  'internal/process/stdio', 'internal/worker/messaging', 'internal/worker/stdio', 'phasor/sim'];

function prepare({ requireOwn, setHook }) {
  for (const id of MODULES) requireOwn(id);
  if (binding('worker').startData() !== undefined) requireOwn('internal/worker/worker');
  const main = requireOwn('internal/boot/main');
  setHook('begin', () => {
    requireOwn('internal/process/process').begin();
    main.start();
  });
}

module.exports = { prepare };
