'use strict';
const { Readable, duplexPair, isWritable, PassThrough } = require('stream');
const show = (error) => `${error.name} ${error.code} ${error.message}`;

async function main() {
    for (const name of ['map', 'filter', 'flatMap', 'forEach', 'some', 'every', 'find', 'reduce']) {
        for (const work of ['text', 5, undefined]) {
            try {
                const result = await Readable.from([1])[name](work);
                console.log(name, work, typeof result);
            } catch (error) {
                console.log(name, work, show(error));
            }
        }
    }
    for (const name of ['take', 'drop']) {
        for (const count of [0, 1, 2, -1, 'x', '1', NaN, undefined]) {
            try {
                console.log(name, count, await Readable.from([1, 2, 3])[name](count).toArray());
            } catch (error) {
                console.log(name, count, show(error));
            }
        }
    }
    await Readable.from([])
        .reduce((a) => a)
        .catch((error) => console.log(show(error)));
    console.log(await Readable.from([]).reduce((a) => a, 'first'));

    console.log(isWritable(new PassThrough()), isWritable(new Readable()));
    const [one, other] = duplexPair();
    other.on('data', (chunk) => console.log('other got', String(chunk)));
    other.on('end', () => other.end('bye'));
    one.on('data', (chunk) => console.log('one got', String(chunk)));
    one.on('close', () => console.log('one closed'));
    one.write('hello');
    one.end();
}
main();
