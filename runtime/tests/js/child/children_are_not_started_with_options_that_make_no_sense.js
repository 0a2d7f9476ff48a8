const cp = require('child_process');
const show = (e) => `${e.name} ${e.code} ${e.message}`;
for (const o of [
    5,
    null,
    { cwd: 5 },
    { cwd: 'a\0' },
    { uid: 'x' },
    { gid: 1.5 },
    { uid: 2 ** 40 },
    { detached: 5 },
    { shell: 5 },
    { shell: '' },
    { argv0: 5 },
    { argv0: 'a\0' },
    { windowsHide: 5 },
    { windowsVerbatimArguments: 5 },
    { env: { 'A\0': 1 } },
    { env: { A: 'x\0' } },
    { timeout: -1 },
    { timeout: 'x' },
    { killSignal: 'NOPE' },
    { killSignal: 9999 },
    { killSignal: {} },
    { killSignal: 0 },
    { signal: 5 },
    { stdio: 'bad' },
    { stdio: 5 },
    { maxBuffer: -1 },
    { maxBuffer: 'x' },
    { timeout: null },
    { killSignal: 'sigterm' },
    { uid: null, env: null, shell: null, cwd: null },
]) {
    for (const f of ['spawn', 'spawnSync', 'execFile']) {
        let r;
        try {
            r = cp[f]('true', [], o);
            if (f !== 'spawnSync') {
                r.on('error', () => {});
                r = 'ok';
            } else r = r.error ? show(r.error) : 'ok';
        } catch (e) {
            r = show(e);
        }
        console.log(f, o, r);
    }
}
for (const a of [['a\0b'], ['echo', ['x', 'a\0']], [''], [5]])
    for (const f of ['spawn', 'spawnSync', 'execFile', 'exec', 'execSync']) {
        let r;
        try {
            r = cp[f](...a);
            if (r.on) r.on('error', () => {});
            r = 'ok';
        } catch (e) {
            r = show(e);
        }
        console.log(f, a, r);
    }
for (const s of ['NOPE', 9999, 'SIGFOO', {}, null, '']) {
    const c = cp.spawn('true');
    let r;
    try {
        r = c.kill(s);
    } catch (e) {
        r = show(e);
    }
    console.log('kill', s, r);
}
const t0 = Date.now();
const r = cp.spawnSync('sh', ['-c', 'echo out; sleep 3'], { timeout: 100 });
console.log(String(r.stdout), r.status, r.signal, r.error && r.error.code, Date.now() - t0 < 2000);
