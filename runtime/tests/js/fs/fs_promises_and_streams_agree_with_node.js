const fs = require('fs');
const fsp = require('fs/promises');
const { pipeline } = require('stream/promises');
const show = (...values) => console.log(...values);
const told = error => show(error.code, error.syscall, error.path, error.dest, error.message);
(async () => {
    await fsp.writeFile('a', 'hello');
    await fsp.appendFile('a', Buffer.from(' world'));
    show(
        await fsp.readFile('a', 'utf8'),
        await fsp.readFile('a'),
        (await fsp.stat('a')).size,
        (await fsp.stat('a', { bigint: true })).size,
    );
    await fsp.mkdir('d/e/f', { recursive: true });
    await fsp.copyFile('a', 'd/b');
    await fsp.rename('d/b', 'd/c');
    await fsp.symlink('c', 'd/link');
    await fsp.link('a', 'd/hard');
    show(
        await fsp.readlink('d/link'),
        (await fsp.lstat('d/link')).isSymbolicLink(),
        (await fsp.readdir('d')).sort(),
        (await fsp.readdir('d', { withFileTypes: true }))
            .map(e => [e.name, e.isDirectory(), e.isFile(), e.isSymbolicLink()])
            .sort(),
        (await fsp.readdir('.', { recursive: true })).sort(),
    );
    await fsp.chmod('a', 0o600);
    await fsp.utimes('a', 1, 2);
    const { mode, atimeMs, mtime, nlink } = await fsp.stat('a');
    show((mode & 0o777).toString(8), atimeMs, mtime.toISOString(), nlink);
    await fsp.truncate('a', 3);
    const handle = await fsp.open('a', 'r+');
    show(
        typeof handle.fd,
        await handle.read(Buffer.alloc(5), 0, 5, 0),
        await handle.write('XY', 1),
        await handle.readFile('utf8'),
    );
    await handle.truncate(2);
    show(
        (await handle.stat()).size,
        await handle.writev([Buffer.from('1'), Buffer.from('2')], 2),
        await handle.datasync(),
    );
    await handle.close();
    await handle.close().catch(error => show('closed twice', error.code));
    for await (const line of (await fsp.open('a')).readLines()) show('line', line);
    for (const work of [
        () => fsp.readFile('none'),
        () => fsp.rmdir('d'),
        () => fsp.rm('none'),
        () => fsp.mkdir('d'),
        () => fsp.rename('none', 'x'),
        () =>
            fsp.access('a', fs.constants.X_OK).catch(() => {
                throw Object.assign(new Error('x'), { code: 'denied or root' });
            }),
        () => fsp.open('none'),
        () => fsp.readdir('a'),
        () => fsp.readFile('d'),
        () => fsp.cp('d', 'copy'),
        () => fsp.readFile(5),
    ]) {
        await work().then(value => show('fine', value), told);
    }
    await fsp.cp('d', 'copy', { recursive: true });
    show((await fsp.readdir('copy')).sort());
    const temporary = await fsp.mkdtemp('t-');
    show(/^t-.{6}$/.test(temporary));
    await fsp.rm('d', { recursive: true });
    await fsp.rm('none', { force: true });
    show(fs.existsSync('d'), (await fsp.realpath('.')) === process.cwd());
    const stop = new AbortController();
    stop.abort();
    await fsp.readFile('a', { signal: stop.signal }).catch(error => show(error.name, error.code));
    const out = fs.createWriteStream('s', { highWaterMark: 4 });
    out.on('open', fd => show('open', typeof fd))
        .on('ready', () => show('ready'))
        .on('drain', () => show('drain'))
        .on('finish', () => show('finish', out.bytesWritten, out.path))
        .on('close', () => show('close', out.pending));
    show(out.write('12345678'), out.write('9'));
    const closed = new Promise(f => out.on('close', f));
    await new Promise(f => out.end(f));
    await closed;
    const parts = [];
    for await (const chunk of fs.createReadStream('s', {
        start: 1,
        end: 6,
        highWaterMark: 4,
        encoding: 'latin1',
    }))
        parts.push(chunk);
    show(parts);
    await pipeline(fs.createReadStream('s'), fs.createWriteStream('s2', { flags: 'a' }));
    await pipeline(fs.createReadStream('s'), fs.createWriteStream('s2', { flags: 'r+', start: 2 }));
    show(fs.readFileSync('s2', 'utf8'));
    fs.createReadStream('none')
        .on('error', error => told(error))
        .on('close', () => {
            const dir = fs.opendirSync('copy');
            const names = [];
            for (let entry; (entry = dir.readSync()) !== null;) names.push(entry.name);
            dir.closeSync();
            show(names.sort());
            const watcher = fs.watch('copy', (event, name) => {
                show(event, name);
                watcher.close();
                fs.watchFile('s', { interval: 20 }, (now, before) => {
                    show('changed', before.size, now.size);
                    fs.unwatchFile('s');
                });
                setTimeout(() => fs.writeFileSync('s', 'short'), 30);
            });
            watcher.on('close', () => show('watcher closed'));
            fs.writeFileSync('copy/new', '');
        });
})();
