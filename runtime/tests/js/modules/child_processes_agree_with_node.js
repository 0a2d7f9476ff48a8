const cp = require('child_process');
const { promisify } = require('util');
const show = (...values) => console.log(...values);
const r = cp.spawnSync('sh', ['-c', 'cat; echo err >&2; exit 3'], {
    input: 'given',
    encoding: 'utf8',
});
show(r.status, r.signal, r.stdout, r.stderr, r.output, typeof r.pid);
show(
    cp.spawnSync('sh', ['-c', 'kill -9 $$']).signal,
    cp.spawnSync('/no/such').error.code,
    cp.spawnSync('/no/such').status,
);
show(
    cp.execSync('echo $A', { env: { A: 'value' }, encoding: 'utf8' }),
    cp.execFileSync('echo', ['a', 'b']),
);
show(
    cp.execFileSync('pwd', { cwd: '/', encoding: 'utf8' }),
    cp.spawnSync('sleep', ['5'], { timeout: 30 }).error.code,
);
try {
    cp.execSync('echo out; echo bad >&2; exit 4', { stdio: 'pipe' });
} catch (error) {
    show(error.message, error.status, String(error.stdout), String(error.stderr));
}
(async () => {
    show(await promisify(cp.exec)('echo hi; echo there >&2'));
    await promisify(cp.exec)('exit 5').catch(error =>
        show(error.code, error.killed, error.signal, error.cmd, error.message),
    );
    await promisify(cp.execFile)('/no/such').catch(error =>
        show(error.code, error.syscall, error.path, error.spawnargs, error.message),
    );
    const child = cp.spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    show(
        child.spawnfile,
        child.spawnargs,
        typeof child.pid,
        child.exitCode,
        child.stderr,
        child.killed,
    );
    let text = '';
    child.stdout.setEncoding('utf8').on('data', part => {
        text += part;
    });
    child.stdin.end('through the pipe');
    await new Promise(f =>
        child.on('close', (...args) =>
            f(show('close', args, text, child.exitCode, child.signalCode)),
        ),
    );
    const killed = cp.spawn('sleep', ['10']);
    show(killed.kill(), killed.killed);
    await new Promise(f =>
        killed.on('exit', (...args) => f(show('exit', args, killed.signalCode))),
    );
    show(killed.kill());
    const shell = cp.spawn('echo $0 "$1"', ['x'], { shell: true });
    shell.stdout.on('data', data => show('shell', String(data).includes('sh')));
    await new Promise(f => shell.on('close', f));
    const timed = cp.exec('sleep 5', { timeout: 30 }, () => {});
    await new Promise(f => timed.on('exit', (...args) => f(show('timed', args))));
    const big = cp.exec('yes | head -c 100000', { maxBuffer: 1000 }, (error, out) =>
        show(error.code, out.length),
    );
    await new Promise(f => big.on('close', f));
    const forked = cp.fork(__dirname + '/parts/forked.js', ['one'], { execArgv: [], silent: true });
    let said = '';
    forked.stdout
        .on('data', data => {
            said += data;
        })
        .on('end', () => {
            ended();
        });
    let ended;
    const end = new Promise(f => {
        ended = f;
    });
    forked.stderr.resume();
    forked.on('message', message => {
        show('message', message);
        if (message.done) forked.disconnect();
        else forked.send({ answer: [1, null, { a: 'b' }] }, error => show('sent', error));
    });
    forked.on('disconnect', () => show('disconnect', forked.connected));
    await new Promise(f => forked.on('exit', (...args) => f(show('fork ended', args))));
    await end;
    show('forked said', said);
    for (const bad of [
        () => cp.spawn(''),
        () => cp.spawn(5),
        () => cp.spawn('x', 'y'),
        () => cp.spawn('x', [], { stdio: 'bad' }),
        () => cp.exec(5),
        () => cp.spawn('a', [], { cwd: 5 }),
    ]) {
        try {
            bad();
        } catch (error) {
            show(error.code, error.message);
        }
    }
    cp.spawn('/no/such', ['a']).on('error', error =>
        show(error.message, error.errno, error.code, error.syscall, error.path, error.spawnargs),
    );
})();
