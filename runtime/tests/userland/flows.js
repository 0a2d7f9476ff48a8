// async, bluebird, rxjs, p-limit
'use strict';
const async = require('async');
const Bluebird = require('bluebird');
const { from, interval, of, Subject } = require('rxjs');
const { concatMap, delay, filter, map, take, toArray } = require('rxjs/operators');
const { default: pLimit } = require('p-limit');

const later = (value, ms) => new Promise((resolve) => setTimeout(resolve, ms, value));

async function main() {
  console.log(await async.mapLimit([3, 1, 2], 2, async (n) => later(n * 10, n)));
  await new Promise((resolve) => {
    async.waterfall([(next) => next(null, 1), (n, next) => setTimeout(next, 1, null, n + 1)],
      (error, result) => resolve(console.log('waterfall', error, result)));
  });
  const queue = async.queue((task, done) => setImmediate(() => {
    console.log('task', task);
    done();
  }), 2);
  queue.push([1, 2, 3]);
  await queue.drain();

  console.log(await Bluebird.map([1, 2, 3], (n) => Bluebird.delay(3 - n).return(n * 2)));
  console.log(await Bluebird.props({ a: later(1, 1), b: 2 }));
  await Bluebird.reject(new TypeError('typed')).catch(TypeError, (e) => console.log(e.message));
  await Bluebird.delay(50).timeout(5, 'too late').catch((e) => console.log(e.name, e.message));
  console.log(await Bluebird.promisify(require('fs').access)('/').then(() => 'accessible'));

  of(1, 2, 3, 4).pipe(filter((n) => n % 2 === 0), map((n) => n * n), toArray())
    .subscribe((all) => console.log(all));
  await new Promise((resolve) => interval(2).pipe(take(3), toArray())
    .subscribe({ next: (all) => console.log(all), complete: resolve }));
  await new Promise((resolve) => from([1, 2]).pipe(concatMap((n) => of(n).pipe(delay(2))))
    .subscribe({ next: (n) => console.log('delayed', n), complete: resolve }));
  const subject = new Subject();
  subject.subscribe((value) => console.log('subject', value));
  subject.next('x');

  const limit = pLimit(1);
  console.log(await Promise.all([5, 1].map((n) => limit(() => later(n, n)))), limit.pendingCount);
}
main();
