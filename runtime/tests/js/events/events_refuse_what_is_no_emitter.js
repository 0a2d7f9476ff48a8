'use strict';
const EventEmitter = require('events');
const { once, on, getEventListeners, setMaxListeners, addAbortListener } = EventEmitter;
const show = (error) => `${error.name} ${error.code} ${error.message}`;

function attempt(name, work) {
    try {
        console.log(name, typeof work());
    } catch (error) {
        console.log(name, show(error));
    }
}

async function main() {
    for (const value of [5, {}, 'text']) {
        attempt('getEventListeners', () => getEventListeners(value, 'x'));
        attempt('setMaxListeners', () => setMaxListeners(5, value));
        attempt('addAbortListener', () => addAbortListener(value, () => {}));
        attempt('captureRejections', () => new EventEmitter({ captureRejections: value }));
        attempt('on', () => on(value, 'x'));
        attempt('throw', () => on(new EventEmitter(), 'x').throw(value));
        await once(value, 'x').catch((error) => console.log('once', show(error)));
    }
    attempt('addAbortListener', () => addAbortListener(new AbortController().signal, 5));
    attempt('setMaxListeners', () => setMaxListeners(-1));
    attempt('setMaxListeners', () => setMaxListeners(5, new EventTarget(), new EventEmitter()));

    const target = new EventTarget();
    setImmediate(() => {
        target.dispatchEvent(new Event('ping'));
        target.dispatchEvent(new Event('ping'));
    });
    let count = 0;
    for await (const [event] of on(target, 'ping')) {
        console.log(event.type);
        if (++count === 2) break;
    }
    console.log(getEventListeners(target, 'ping').length);
}
main();
