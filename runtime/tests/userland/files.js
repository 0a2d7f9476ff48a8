// glob, rimraf, mkdirp, chokidar, execa, winston, pino, through2, readable-stream
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const chokidar = require('chokidar');
const execa = require('execa');
const { glob, globSync } = require('glob');
const { mkdirp } = require('mkdirp');
const pino = require('pino');
const { rimraf } = require('rimraf');
const winston = require('winston');
const { pipeline, Readable } = require('readable-stream');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'files-'));

async function watch() {
  const file = path.join(folder, 'watched.txt');
  const seen = [];
  const watcher = chokidar.watch(folder, { ignoreInitial: true });
  watcher.on('all', (event, name) => seen.push(`${event} ${path.relative(folder, name)}`));
  await new Promise((resolve) => watcher.once('ready', resolve));
  const until = (event) => new Promise((resolve) => watcher.once(event, resolve));
  let wait = until('add');
  fs.writeFileSync(file, 'one');
  await wait;
  wait = until('change');
  await new Promise((resolve) => setTimeout(resolve, 100));
  fs.writeFileSync(file, 'two, longer');
  await wait;
  wait = until('unlink');
  fs.unlinkSync(file);
  await wait;
  await watcher.close();
  console.log(seen);
}

async function main() {
  await mkdirp(path.join(folder, 'a/b/c'));
  for (const name of ['a/1.js', 'a/b/2.js', 'a/b/c/3.txt'])
    fs.writeFileSync(path.join(folder, name), '');
  console.log((await glob('**/*.js', { cwd: folder })).sort());
  console.log(globSync('a/**', { cwd: folder, nodir: true }).sort());
  console.log(await rimraf(path.join(folder, 'a')), fs.existsSync(path.join(folder, 'a')));
  await watch();

  const { stdout, exitCode } = await execa('sh', ['-c', 'echo out; echo err >&2']);
  console.log(stdout, exitCode);
  await execa('sh', ['-c', 'exit 3'])
    .catch((error) => console.log(error.exitCode, error.shortMessage));
  console.log(execa.sync('cat', { input: 'from input' }).stdout);
  console.log(await execa.command('printf %s x').then((result) => result.stdout));

  const logger = winston.createLogger({ level: 'debug',
    format: winston.format.combine(winston.format.label({ label: 'app' }), winston.format.json()),
    transports: [new winston.transports.Console()] });
  logger.info('hello', { user: 1 });
  logger.log('debug', 'splat %s', 'no');
  const lines = [];
  pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) })
    .child({ module: 'm' }).info({ a: 1 }, 'text %d', 5);
  console.log(lines.join('').trim());
  await transported();

  const { default: through2 } = require('through2');
  let text = '';
  const upper = through2(function(chunk, encoding, callback) {
    this.push(String(chunk).toUpperCase());
    callback();
  });
  pipeline(Readable.from(['a', 'b']), upper, (error) => console.log('piped', error, text));
  upper.on('data', (chunk) => { text += chunk; });
}

// A thread writes what is logged.
async function transported() {
  const alive = setInterval(() => {}, 1000); // transports keep no program alive
  const destination = path.join(folder, 'log');
  const transport = pino.transport({ target: 'pino/file', options: { destination } });
  const logger = pino({ base: null, timestamp: false }, transport);
  await new Promise((done) => transport.on('ready', done));
  logger.warn({ a: 2 }, 'by a thread');
  transport.end();
  await new Promise((done) => transport.on('close', done));
  clearInterval(alive);
  console.log(fs.readFileSync(destination, 'utf8').trim());
}
main().finally(() => fs.rmSync(folder, { recursive: true, force: true }));
