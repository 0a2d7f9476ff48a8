'use strict';
const { setTimeout: wait } = require('timers/promises');
const show = (error) => `${error.name} ${error.code} ${error.message}`;

process.on('warning', ({ name, message, code, detail }) =>
    console.log(name, message, code, detail),
);
for (const args of [
    ['a', 5],
    ['b', 'T', 5],
    ['c', { detail: 5 }],
    ['d', { code: 5 }],
    ['e', { type: 'T', code: 'C', detail: 'more' }],
    ['f', () => {}],
    ['g', 'T', () => {}],
    [5],
]) {
    try {
        process.emitWarning(...args);
    } catch (error) {
        console.log(args[0], show(error));
    }
}
wait('x').catch((error) => console.log(show(error)));
wait(1, 'value').then(console.log);
