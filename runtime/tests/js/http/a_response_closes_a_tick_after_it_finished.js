const http = require('http');
const log = [];
const waits = {
    now: (f) => f(),
    tick: (f) => process.nextTick(f),
    tick2: (f) => process.nextTick(() => process.nextTick(f)),
    tick3: (f) => process.nextTick(() => process.nextTick(() => process.nextTick(f))),
    job: (f) => Promise.resolve().then(f),
    tickjob: (f) => process.nextTick(() => Promise.resolve().then(f)),
    jobtick: (f) => Promise.resolve().then(() => process.nextTick(f)),
    immediate: (f) => setImmediate(f),
    immediate2: (f) => setImmediate(() => setImmediate(f)),
};
async function one(name, keep, how, big) {
    let got = [];
    const note = (s) => got.push(s);
    const agent = new http.Agent({ keepAlive: keep });
    const server = http.createServer((req, res) => {
        if (how === 'plain') res.end(big);
        else if (how === 'chunks') {
            res.write('a');
            res.write('b');
            res.end();
        } else if (how === 'cb')
            res.end(big, () => {
                note('end callback');
                waits[name](() => res.on('close', () => note('cb close')));
            });
        else if (how === 'finish') {
            res.on('finish', () => {
                note('finish');
                waits[name](() => {
                    note('adds after finish ' + res.closed + res.destroyed + res.writableFinished);
                    res.on('close', () => note('finish close'));
                });
            });
            res.end(big);
        } else if (how === 'post') {
            req.resume();
            req.on('end', () => {
                res.end(big);
            });
        }
        waits[name](() => {
            note(
                `adds ${res.closed} ${res.destroyed} ${res.writableFinished}`,
            );
            res.on('close', () => note('close'));
            res.on('finish', () => note('finish2'));
        });
    });
    await new Promise((r) => server.listen(0, r));
    await new Promise((r) => {
        const q = http.request(
            { port: server.address().port, agent, method: how === 'post' ? 'POST' : 'GET' },
            (res) => {
                res.resume();
                res.on('end', () => setTimeout(r, 5));
            },
        );
        q.end(how === 'post' ? 'body' : undefined);
    });
    agent.destroy();
    server.closeAllConnections();
    await new Promise((r) => server.close(r));
    console.log(keep, how, name, big && big.length, '|', got.join(', '));
}
(async () => {
    for (const keep of [true, false])
        for (const how of ['plain', 'chunks', 'cb', 'finish'])
            for (const name of Object.keys(waits)) await one(name, keep, how, 'x');
    for (const name of Object.keys(waits)) await one(name, true, 'plain', 'x'.repeat(5e6));
})();
