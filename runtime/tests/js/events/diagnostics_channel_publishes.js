'use strict';
const dc = require('diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');

const channel = dc.channel('a');
console.log(channel === dc.channel('a'), channel.hasSubscribers, dc.hasSubscribers('a'));
const onMessage = (data, name) => console.log('got', name, data);
dc.subscribe('a', onMessage);
channel.publish({ x: 1 });
console.log(channel.hasSubscribers, dc.unsubscribe('a', onMessage), dc.unsubscribe('a', onMessage));
channel.publish({ x: 2 });
try {
    dc.channel(5);
} catch (error) {
    console.log(error.code, error.message);
}

const store = new AsyncLocalStorage();
channel.bindStore(store, data => ({ wrapped: data }));
console.log(
    channel.runStores(
        'in',
        function (a) {
            return [this.self, a, store.getStore()];
        },
        { self: 1 },
        2,
    ),
    store.getStore(),
);
console.log(channel.unbindStore(store));

const tracing = dc.tracingChannel('work');
const handlers = {};
for (const name of ['start', 'end', 'asyncStart', 'asyncEnd', 'error'])
    handlers[name] = message =>
        console.log(name, message.id, message.result, message.error?.message ?? message.error);
tracing.subscribe(handlers);
console.log(tracing.traceSync(n => n * 2, { id: 1 }, null, 4));
try {
    tracing.traceSync(
        () => {
            throw new RangeError('sync');
        },
        { id: 2 },
    );
} catch (error) {
    console.log('thrown', error.message);
}
tracing
    .tracePromise(async () => 'value', { id: 3 })
    .then(value => {
        console.log('promise', value);
        return tracing.tracePromise(
            async () => {
                throw 'reason';
            },
            { id: 4 },
        );
    })
    .catch(reason => {
        console.log('rejected', reason);
        tracing.traceCallback(
            (a, done) => setImmediate(done, null, a + 1),
            -1,
            { id: 5 },
            null,
            1,
            (error, result) => {
                console.log('callback', error, result);
                console.log(tracing.unsubscribe(handlers));
                channel.subscribe(() => {
                    throw new Error('of a subscriber');
                });
                process.once('uncaughtException', failure =>
                    console.log('uncaught', failure.message),
                );
                channel.publish('last');
                console.log('published');
            },
        );
    });
