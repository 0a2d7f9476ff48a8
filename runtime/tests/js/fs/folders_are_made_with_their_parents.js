const fs = require('fs'),
    fsp = require('fs/promises');
const dir = require('path').resolve(fs.mkdtempSync('mk-'));
process.chdir(dir);
fs.writeFileSync('file', '');
const c = (s) => s && s.split(dir).join('DIR');
(async () => {
    for (const p of [
        'a/b/c',
        './x/y',
        'q/../r/s',
        'a/b/c',
        'm/',
        'n//o/',
        dir + '/abs/p',
        '.',
        '..',
        'file/z',
        'file',
        './u/./v/',
    ]) {
        let r;
        try {
            r = c(fs.mkdirSync(p, { recursive: true }));
        } catch (e) {
            r = c(e.message);
        }
        console.log(c(p), r);
        try {
            fs.rmSync(r || 'zz', { recursive: true });
        } catch {}
        try {
            r = c(await fsp.mkdir(p, { recursive: true }));
        } catch (e) {
            r = c(e.message);
        }
        console.log(c(p), r);
    }
})();
