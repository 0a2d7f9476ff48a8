'use strict';
const EventEmitter = require('events');
const { once, on } = EventEmitter;

const emitter = new EventEmitter();
(async () => {
    process.nextTick(() => emitter.emit('ready', 'a', 'b'));
    console.log('once', await once(emitter, 'ready'));
    process.nextTick(() => emitter.emit('error', new Error('bad')));
    await once(emitter, 'ready').catch((error) => console.log('once fails', error.message));
    setImmediate(() => {
        emitter.emit('item', 1);
        emitter.emit('item', 2);
        setImmediate(() => emitter.emit('item', 3));
    });
    const seen = [];
    for await (const [item] of on(emitter, 'item')) {
        console.log('item', item);
        seen.push(item);
        if (seen.length === 3) {
            break;
        }
    }
    console.log('listeners', emitter.listenerCount('item'));
})();
