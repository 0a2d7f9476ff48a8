'use strict';
// Atomics.waitAsync: what it gives at once, who is told, in which order, and from which thread.
const { Worker } = require('worker_threads');

const view = new Int32Array(new SharedArrayBuffer(8));
const big = new BigInt64Array(new SharedArrayBuffer(16));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function main() {
    const alive = setInterval(() => {}, 1000);
    console.log(Atomics.waitAsync.length, Atomics.waitAsync.name);
    console.log(Atomics.waitAsync(view, 0, 1), Atomics.waitAsync(view, 0, 0, 0),
        Atomics.waitAsync(view, 0, 0, -1));
    const limited = Atomics.waitAsync(view, 1, 0, 20);
    console.log(limited, await limited.value);

    const told = [];
    const waits = [0, 1, 2, 3].map((i) => Atomics.waitAsync(view, 0, 0).value.then((how) => {
        told.push(`${i} ${how}`);
    }));
    console.log(Atomics.notify(view, 0, 2), told);
    await Promise.all(waits.slice(0, 2));
    console.log(told, Atomics.notify(view, 0), Atomics.notify(view, 0));
    await Promise.all(waits);
    console.log(told);

    const large = Atomics.waitAsync(big, 1, 0n, Infinity).value;
    console.log(Atomics.notify(big, 0), Atomics.notify(big, 1), await large);
    for (const args of [[], [new Int32Array(2), 0, 0], [view, 5, 0], [new Float64Array(2), 0, 0],
        [view, 0, { valueOf() { throw new Error('value'); } }],
        [view, 0, 0, { valueOf() { throw new Error('timeout'); } }]]) {
        try {
            console.log(Atomics.waitAsync(...args));
        } catch (error) {
            console.log(error.name);
        }
    }

    // A worker tells the main thread, and is told itself.
    const worker = new Worker(`
        const { workerData: view, parentPort } = require('worker_threads');
        Atomics.waitAsync(view, 1, 0).value.then((how) => parentPort.postMessage(how));
        setTimeout(() => {
            Atomics.store(view, 0, 7);
            Atomics.notify(view, 0);
        }, 20);
        setTimeout(() => {}, 1e6);`, { eval: true, workerData: view });
    worker.on('message', (how) => console.log('worker', how));
    console.log('main', await Atomics.waitAsync(view, 0, 0).value, view[0]);
    while (Atomics.notify(view, 1) === 0) await pause(5);
    await new Promise((done) => worker.once('message', done));

    // One that ends leaves nobody behind.
    const gone = new Worker(`
        const { workerData: view } = require('worker_threads');
        for (let i = 0; i < 5; i++) Atomics.waitAsync(view, 1, 0, i === 0 ? 1e6 : undefined);
        require('worker_threads').parentPort.postMessage(0);
        setTimeout(() => {}, 1e6);`, { eval: true, workerData: view });
    await new Promise((done) => gone.once('message', done));
    await gone.terminate();
    await worker.terminate();
    console.log('left', Atomics.notify(view, 1));
    clearInterval(alive);
    // Neither of these keeps the program alive.
    Atomics.waitAsync(view, 1, 0).value.then(() => console.log('never'));
    Atomics.waitAsync(view, 1, 0, 1e6).value.then(() => console.log('never'));
}

main();
