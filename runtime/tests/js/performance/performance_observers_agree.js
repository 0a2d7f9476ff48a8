'use strict';
// Who may observe what, and what observers are given.
const { PerformanceObserver, performance } = require('perf_hooks');

function told(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const make = () => new PerformanceObserver(() => {});
told('no callback', () => new PerformanceObserver(1));
told('no options', () => make().observe());
told('number', () => make().observe(1));
told('neither', () => make().observe({}));
told('null', () => make().observe({ entryTypes: null }));
told('object', () => make().observe({ entryTypes: {} }));
told('both', () => make().observe({ entryTypes: ['mark'], type: 'mark' }));
told('unknown', () => make().observe({ entryTypes: ['nobody'] }));
told('changed', () => {
  const one = make();
  one.observe({ type: 'mark' });
  one.observe({ entryTypes: ['mark'] });
});
told('supported', () => PerformanceObserver.supportedEntryTypes);

performance.mark('before');
const observer = new PerformanceObserver(function seen(list, self) {
  console.log(this === observer, self === observer, Object.prototype.toString.call(list));
  console.log(list.getEntries().map((one) => one.name), list.getEntriesByName('b').length,
    list.getEntriesByName('b', 'measure').length, list.getEntriesByType('mark').length);
  observer.disconnect();
  performance.mark('nobody sees it');
  told('no name', () => list.getEntriesByName());
});
observer.observe({ type: 'mark', buffered: true });
observer.observe({ type: 'measure' });
performance.mark('a');
performance.mark('b');
performance.measure('c', 'a', 'b');
const other = new PerformanceObserver(() => console.log('not called'));
other.observe({ entryTypes: ['mark'] });
performance.mark('d');
console.log(other.takeRecords().map((one) => one.name), other.takeRecords());
other.disconnect();
