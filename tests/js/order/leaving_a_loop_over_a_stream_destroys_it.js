'use strict';
const { Readable } = require('stream');

(async () => {
    const left = Readable.from(['a', 'b', 'c']);
    left.on('close', () => console.log('close'));
    for await (const chunk of left) {
        console.log(chunk);
        if (chunk === 'b') {
            break;
        }
    }
    console.log('left', left.destroyed);

    const failing = new Readable({
        objectMode: true,
        read() {},
    });
    failing.push('only');
    setImmediate(() => failing.destroy(new Error('broken')));
    try {
        for await (const chunk of failing) {
            console.log(chunk);
        }
    } catch (error) {
        console.log('caught', error.message);
    }

    const kept = Readable.from([1, 2, 3]);
    for await (const value of kept.iterator({ destroyOnReturn: false })) {
        console.log(value);
        break;
    }
    console.log('kept', kept.destroyed);
})();
