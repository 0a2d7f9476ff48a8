const EventEmitter = require('events');
const e = new EventEmitter();
const f = (...args) => console.log('f', args);
console.log(e.on('a', f) === e, e.emit('a', 1, 2), e.emit('none'));
e.prependListener('a', () => console.log('first'));
e.prependOnceListener('a', () => console.log('very first'));
e.emit('a');
e.emit('a', 1, 2, 3, 4, 5);
console.log(
    e.eventNames(),
    e.listenerCount('a'),
    e.listeners('a').length,
    e.rawListeners('a').length,
);
e.once('b', f);
console.log(
    e.listeners('b')[0] === f,
    e.rawListeners('b')[0].listener === f,
    e.listenerCount('b', f),
);
e.off('b', f);
console.log(e.listenerCount('b'), e.eventNames());
const order = new EventEmitter();
order.on('newListener', (type, g) => console.log('new', String(type), typeof g));
order.on('removeListener', type => console.log('removed', String(type)));
const s = Symbol('s');
order.on(s, f);
order.once('x', f);
order.emit('x');
order.removeAllListeners(s);
order.removeAllListeners();
console.log(order.eventNames());
for (const value of [new Error('given'), 'text', { a: 1 }, undefined]) {
    try {
        new EventEmitter().emit('error', value);
    } catch (error) {
        console.log(error.name, error.message, error.code, error.context);
    }
}
const removing = new EventEmitter();
const second = () => console.log('second still runs');
removing.on('x', () => removing.off('x', second));
removing.on('x', second);
removing.emit('x');
removing.emit('x');
try {
    e.on('x', 5);
} catch (error) {
    console.log(error.code, error.message);
}
console.log(EventEmitter.defaultMaxListeners, e.getMaxListeners(), e.setMaxListeners(1) === e);
process.on('warning', warning =>
    console.log(warning.name, warning.count, String(warning.type), warning.message),
);
e.on('many', f);
e.on('many', f);
try {
    e.setMaxListeners(-1);
} catch (error) {
    console.log(error.code, error.message);
}
class Sub extends EventEmitter {}
console.log(
    new Sub() instanceof EventEmitter,
    EventEmitter.EventEmitter === EventEmitter,
    EventEmitter.listenerCount(e, 'many'),
    Object.keys(EventEmitter).sort().join(),
);
const target = new EventTarget();
EventEmitter.once(target, 'x').then(([event]) => console.log('once of a target', event.type));
target.dispatchEvent(new Event('x'));
const rejecting = new EventEmitter({ captureRejections: true });
rejecting.on('x', async () => {
    throw new Error('rejected');
});
rejecting.on('error', error => console.log('captured', error.message));
rejecting.emit('x');
console.log(EventEmitter.getEventListeners(e, 'many').length);
