'use strict';
// Packages about files, folders, patterns and streams.

const fs = require('fs');
const path = require('path');

function tree(folder) {
  for (const name of ['a.js', 'b.txt', 'sub/c.js', 'sub/deep/d.md', '.hidden/e.js']) {
    fs.mkdirSync(path.dirname(`${folder}/${name}`), { recursive: true });
    fs.writeFileSync(`${folder}/${name}`, name);
  }
  return folder;
}
const list = (folder) => fs.readdirSync(folder, { recursive: true }).sort();

module.exports = {
  minimatch: async (load, show) => {
    const { minimatch } = await load.all('minimatch');
    show(
      minimatch('bar.foo', '*.foo'),
      minimatch('a/b/c.js', 'a/**/*.{js,ts}'),
      minimatch('b.x', '!(a)'),
      minimatch('a/bc.js', 'a/+(b|c).js'),
    );
  },
  picomatch: async (load, show) => {
    const picomatch = await load('picomatch');
    show(
      picomatch('**/*.js', { ignore: 'x/**' })('a/b.js'),
      picomatch.scan('!./foo/*.js'),
      String(picomatch.makeRe('a[1-3]/{b,c}*')),
    );
  },
  micromatch: async (load, show) => {
    const micromatch = await load('micromatch');
    show(
      micromatch(['a.js', 'b.md', 'c/d.js'], ['**/*.js', '!c/**']),
      micromatch.braces('{a,b}/{1..3}', { expand: true }),
      micromatch.capture('test/*.js', 'test/x.js'),
    );
  },
  braces: async (load, show) =>
    show(
      (await load('braces'))('a/{x,y{1..2}}', { expand: true }),
      (await load('braces'))('{01..10}'),
    ),
  'fill-range': async (load, show) =>
    show(
      (await load('fill-range'))('a', 'e', 2),
      (await load('fill-range'))(1, 100, { toRegex: true }),
    ),
  'to-regex-range': async (load, show) =>
    show((await load('to-regex-range'))('15', '95'), (await load('to-regex-range'))(-5, 111)),
  'is-glob': async (load, show) =>
    show(
      ['a', 'a*', '!a', 'a/{b,c}', '\\*'].map((x) => x && require('is-glob')(x)),
      typeof (await load('is-glob')),
    ),
  'is-extglob': async (load, show) =>
    show((await load('is-extglob'))('a/!(b)'), (await load('is-extglob'))('a')),
  'glob-parent': async (load, show) =>
    show((await load('glob-parent'))('path/to/*.js'), (await load('glob-parent'))('a/{b,c}/x')),
  glob: async (load, show, folder) => {
    const { glob, globSync } = await load.all('glob');
    tree(folder);
    show(
      (await glob('**/*.js', { cwd: folder, dot: true })).sort(),
      globSync('*/', { cwd: folder }).sort(),
    );
  },
  'fast-glob': async (load, show, folder) => {
    const glob = await load('fast-glob');
    tree(folder);
    show(
      (await glob(['**/*.js', '!a*'], { cwd: folder, dot: true })).sort(),
      glob.sync('**', { cwd: folder, onlyDirectories: true }).sort(),
    );
  },
  tinyglobby: async (load, show, folder) => {
    const { glob } = await load.all('tinyglobby');
    tree(folder);
    show((await glob(['**/*.{js,md}'], { cwd: folder, dot: true })).sort());
  },
  fdir: async (load, show, folder) => {
    const { fdir: Fdir } = await load.all('fdir');
    tree(folder);
    show(
      (
        await new Fdir()
          .withRelativePaths()
          .filter((name) => name.endsWith('.js'))
          .crawl(folder)
          .withPromise()
      ).sort(),
    );
  },
  readdirp: async (load, show, folder) => {
    const { readdirpPromise } = await load.all('readdirp');
    tree(folder);
    show(
      (await readdirpPromise(folder, { fileFilter: (entry) => entry.basename.endsWith('.js') }))
        .map((entry) => entry.path)
        .sort(),
    );
  },
  chokidar: async (load, show, folder) => {
    const { watch } = await load.all('chokidar');
    tree(folder);
    const watcher = watch(folder, { ignoreInitial: true });
    await new Promise((done) => watcher.once('ready', done));
    const added = new Promise((done) => watcher.once('add', done));
    fs.writeFileSync(`${folder}/new.js`, '');
    show(path.basename(await added), Object.keys(watcher.getWatched()).length);
    await watcher.close();
  },
  rimraf: async (load, show, folder) => {
    const { rimraf } = await load.all('rimraf');
    tree(folder);
    show(await rimraf(`${folder}/sub`), list(folder));
  },
  mkdirp: async (load, show, folder) => {
    const { mkdirp } = await load.all('mkdirp');
    show(
      path.relative(folder, await mkdirp(`${folder}/x/y/z`)),
      await mkdirp(`${folder}/x`),
      list(folder),
    );
  },
  'make-dir': async (load, show, folder) => {
    const { makeDirectory } = await load.all('make-dir');
    show(path.relative(folder, await makeDirectory(`${folder}/p/q`)), list(folder));
  },
  'fs-extra': async (load, show, folder) => {
    const extra = await load('fs-extra');
    tree(folder);
    await extra.copy(`${folder}/sub`, `${folder}/copy`);
    await extra.outputJson(`${folder}/j/x.json`, { a: 1 }, { spaces: 1 });
    await extra.move(`${folder}/a.js`, `${folder}/moved/a.js`);
    show(
      await extra.readJson(`${folder}/j/x.json`),
      await extra.pathExists(`${folder}/a.js`),
      list(folder),
    );
    await extra.emptyDir(`${folder}/copy`);
    show(list(`${folder}/copy`));
  },
  'graceful-fs': async (load, show, folder) => {
    const graceful = await load('graceful-fs');
    graceful.writeFileSync(`${folder}/x`, 'text');
    await Promise.all(
      Array.from(
        { length: 300 },
        () => new Promise((done) => graceful.readFile(`${folder}/x`, done)),
      ),
    );
    show(
      await graceful.promises.readFile(`${folder}/x`, 'utf8'),
      graceful.existsSync(`${folder}/y`),
    );
  },
  universalify: async (load, show) => {
    const { fromCallback, fromPromise } = await load('universalify');
    show(await fromCallback((a, done) => done(null, a * 2))(4));
    fromPromise(async (x) => x + 1)(1, (error, value) => show(error, value));
  },
  'find-up': async (load, show, folder) => {
    const { findUp } = await load.all('find-up');
    tree(folder);
    show(
      path.relative(folder, await findUp('b.txt', { cwd: `${folder}/sub/deep` })),
      await findUp('no-such-file-anywhere'),
    );
  },
  'locate-path': async (load, show, folder) => {
    const { locatePath } = await load.all('locate-path');
    tree(folder);
    show(await locatePath(['none', 'sub', 'b.txt'], { cwd: folder }));
  },
  'path-exists': async (load, show) =>
    show(
      await (await load.all('path-exists')).pathExists('/etc/passwd'),
      (await load.all('path-exists')).pathExistsSync('/none'),
    ),
  'path-scurry': async (load, show, folder) => {
    const { PathScurry } = await load.all('path-scurry');
    tree(folder);
    const scurry = new PathScurry(folder);
    show(
      (await scurry.walk()).map((entry) => entry.relative()).sort(),
      scurry.lstatSync('b.txt').size,
    );
  },
  'normalize-path': async (load, show) =>
    show(
      (await load('normalize-path'))('\\a\\\\b//c/'),
      (await load('normalize-path'))('a//', false),
    ),
  ignore: async (load, show) => {
    const ignore = (await load('ignore'))().add(['*.log', '!keep.log', 'build/', '/top']);
    show(
      ignore.filter(['a.log', 'keep.log', 'build/x', 'src/top', 'top', 'a.js']),
      ignore.test('b.log'),
    );
  },
  minipass: async (load, show) => {
    const { Minipass } = await load.all('minipass');
    const stream = new Minipass({ encoding: 'utf8' });
    stream.write('he');
    stream.end('llo');
    show(await stream.concat());
    const objects = new Minipass({ objectMode: true });
    objects.end({ a: 1 });
    for await (const one of objects) show(one);
  },
  'readable-stream': async (load, show) => {
    const { Readable, Transform, pipeline, finished } = await load('readable-stream');
    const upper = new Transform({
      transform(chunk, encoding, done) {
        done(null, String(chunk).toUpperCase());
      },
    });
    let text = '';
    upper.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((done) => pipeline(Readable.from(['a', 'b']), upper, done));
    show(text, typeof finished);
  },
  string_decoder: async (load, show) => {
    const { StringDecoder } = require('string_decoder/');
    const decoder = new StringDecoder('utf8');
    show(
      decoder.write(Buffer.from([0xe2, 0x82])),
      decoder.write(Buffer.from([0xac])),
      decoder.end(Buffer.from([0xe2])),
    );
  },
  inherits: async (load, show) => {
    function A() {}
    function B() {}
    (await load('inherits'))(B, A);
    show(new B() instanceof A, B.super_ === A);
  },
  'safe-buffer': async (load, show) =>
    show((await load('safe-buffer')).Buffer.from('a'), (await load('safe-buffer')).Buffer.alloc(2)),
  'safer-buffer': async (load, show) => {
    const { Buffer: Safer } = await load('safer-buffer');
    try {
      Safer.from(5);
    } catch (error) {
      show(error.message);
    }
    show(Safer.alloc(2, 1), Safer.from('a').toString());
  },
  buffer: async (load, show) => {
    const { Buffer: Own } = require('buffer/');
    show(
      Own.from('héllo').toString('base64'),
      Own.concat([Own.from([1]), Own.alloc(2)]).readUInt16BE(0),
      Own.from('abc').indexOf('c'),
    );
  },
  'get-stream': async (load, show) => {
    const {
      default: getStream,
      getStreamAsArray,
      getStreamAsBuffer,
    } = await load.all('get-stream');
    const { Readable } = require('stream');
    show(
      await getStream(Readable.from(['a', 'b'])),
      await getStreamAsArray(Readable.from([1, 2])),
      await getStreamAsBuffer(Readable.from([Buffer.from('c')])),
    );
    await getStream(Readable.from(['too long']), { maxBuffer: 3 }).catch((error) =>
      show(error.name, error.bufferedData),
    );
  },
  'is-stream': async (load, show) => {
    const { isStream, isReadableStream, isWritableStream } = await load.all('is-stream');
    show(
      isStream(process.stdout),
      isReadableStream(fs.createReadStream('/dev/null')),
      isWritableStream({}),
    );
  },
  'file-entry-cache': async (load, show, folder) => {
    const cache = await load.all('file-entry-cache');
    tree(folder);
    const made = cache.create('c1', folder);
    show(made.getFileDescriptor(`${folder}/a.js`).changed);
    made.reconcile();
    show(cache.create('c1', folder).getFileDescriptor(`${folder}/a.js`).changed);
  },
  'flat-cache': async (load, show, folder) => {
    const { FlatCache, createFromFile } = await load.all('flat-cache');
    const cache = new FlatCache({ cacheDir: folder, cacheId: 'x' });
    cache.setKey('a', { b: 1 });
    cache.save();
    show(createFromFile(`${folder}/x`).getKey('a'), fs.readdirSync(folder));
  },
  anymatch: async (load, show) =>
    show(
      (await load('anymatch'))(['*.js', /z/], 'a.js'),
      (await load('anymatch'))(['a', 'b'], 'b', { returnIndex: true }),
    ),
};
