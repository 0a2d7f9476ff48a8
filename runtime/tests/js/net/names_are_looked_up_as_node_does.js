const dns = require('dns');
(async () => {
    console.log(await dns.promises.lookup('127.0.0.1'), await dns.promises.lookup('::1'));
    console.log(
        await dns.promises.lookup('localhost', { family: 4 }),
        (await dns.promises.lookup('localhost', { family: 4, all: true })).slice(0, 1),
    );
    await new Promise(f =>
        dns.lookup('localhost', 4, (error, address, family) =>
            f(console.log(error, address, family)),
        ),
    );
    await new Promise(f =>
        dns.lookup('127.0.0.1', { all: true }, (error, list) => f(console.log(error, list))),
    );
    await dns.promises
        .lookup('no.such.name.invalid')
        .catch(error => console.log(error.code, error.syscall, error.hostname, error.message));
    await new Promise(f =>
        dns.lookupService('127.0.0.1', 80, (error, host, service) =>
            f(console.log(error, typeof host, service)),
        ),
    );
    for (const bad of [
        () => dns.lookup(5, () => {}),
        () => dns.lookup('x'),
        () => dns.lookup('x', { family: 5 }, () => {}),
        () => dns.lookupService('x', 1, () => {}),
    ]) {
        try {
            bad();
        } catch (error) {
            console.log(error.code, error.message);
        }
    }
    console.log(
        dns.getDefaultResultOrder(),
        dns.NOTFOUND,
        dns.ADDRCONFIG,
        Array.isArray(dns.getServers()),
    );
})();
