'use strict';
// Packages about command lines, processes and what a program runs in.

const path = require('path');
const { spawnSync } = require('child_process');

module.exports = {
  commander: async (load, show) => {
    const { Command } = await load.all('commander');
    const program = new Command('tool')
      .exitOverride()
      .configureOutput({ writeErr: (text) => show('err', text) });
    program.version('1.2.3').option('-p, --port <number>', 'a port', Number, 80);
    program
      .command('serve <dir> [rest...]')
      .option('--no-cache')
      .action((dir, rest, options) => show(dir, rest, options, program.opts()));
    program.parse(['node', 'x', '-p', '8080', 'serve', 'a', 'b', '--no-cache']);
    show(program.helpInformation());
    try {
      program.parse(['node', 'x', '--wrong']);
    } catch (error) {
      show(error.code);
    }
  },
  minimist: async (load, show) =>
    show(
      (await load('minimist'))(['-a', '3', '--no-b', '--c.d=x', '-xyz', 'rest', '--', 'z'], {
        '--': true,
      }),
    ),
  yargs: async (load, show) => {
    const yargs = await load('yargs');
    show(
      await yargs(['serve', '--port', '5', '-v', 'x'])
        .command('serve [file]', 'serves')
        .option('port', { type: 'number', alias: 'p' })
        .count('v')
        .exitProcess(false)
        .parse(),
    );
    show(
      await yargs([])
        .scriptName('tool')
        .usage('$0 <cmd>')
        .option('a', { describe: 'an option', default: 1 })
        .wrap(60)
        .locale('en')
        .getHelp(),
    );
  },
  'yargs-parser': async (load, show) =>
    show(
      (await load('yargs-parser'))('--foo=99 --bar 9.5 -abc --no-d "x y" --list 1 2', {
        array: ['list'],
      }),
    ),
  argparse: async (load, show) => {
    const { ArgumentParser } = await load('argparse');
    const parser = new ArgumentParser({ prog: 'tool', description: 'Does things' });
    parser.add_argument('-f', '--foo', { help: 'foo bar', type: 'int' });
    parser.add_argument('names', { nargs: '*' });
    show(parser.parse_args(['-f', '5', 'a', 'b']), parser.format_help());
  },
  cliui: async (load, show) => {
    const ui = (await load('cliui'))({ width: 40 });
    ui.div('Usage: $0');
    ui.div(
      { text: 'left', width: 15, padding: [0, 1, 0, 2] },
      { text: 'a long text that must wrap', align: 'right' },
    );
    show(ui.toString());
  },
  y18n: async (load, show) => {
    const y18n = await load('y18n');
    const { __, __n } = y18n({ locale: 'en', updateFiles: false, directory: '/nowhere' });
    show(__('hello %s', 'you'), __n('%d cat', '%d cats', 2));
  },
  'cross-spawn': async (load, show) => {
    const spawn = await load('cross-spawn');
    const result = spawn.sync(process.execPath, ['-p', '1 + 1'], { encoding: 'utf8' });
    show(result.stdout, result.status, spawn.sync('no-such-thing', []).error.code);
  },
  execa: async (load, show) => {
    const { execa, $ } = await load.all('execa');
    show((await execa(process.execPath, ['-e', 'console.log(process.argv.length)'])).stdout);
    show(await $`echo a ${'b c'}`.then(({ stdout }) => stdout));
    await execa(process.execPath, ['-e', 'process.exit(3)']).catch((error) =>
      show(error.exitCode, error.failed),
    );
    show((await execa({ input: 'text' })`cat`).stdout, (await execa`printf x`.pipe`cat`).stdout);
  },
  which: async (load, show) => {
    const which = await load('which');
    show(path.basename(await which('sh')), await which('no-such-thing', { nothrow: true }));
  },
  isexe: async (load, show) =>
    show(
      await (await load.all('isexe')).isexe('/bin/sh'),
      (await load.all('isexe')).sync('/etc/passwd'),
    ),
  'signal-exit': async (load, show) => {
    const { onExit } = await load.all('signal-exit');
    onExit((code, signal) => show('exit', code, signal));
    process.exitCode = 0;
  },
  'shebang-command': async (load, show) =>
    show(
      (await load('shebang-command'))('#!/usr/bin/env node\n'),
      (await load('shebang-command'))('#!/bin/bash'),
    ),
  'shebang-regex': async (load, show) =>
    show((await load('shebang-regex')).exec('#!/usr/bin/env node\nx')[1]),
  'path-key': async (load, show) =>
    show(
      (await load('path-key'))({ env: { Path: 'x' }, platform: 'win32' }),
      (await load('path-key'))(),
    ),
  'npm-run-path': async (load, show) => {
    const { npmRunPath } = await load.all('npm-run-path');
    show(npmRunPath({ cwd: '/a/b', path: '/usr/bin', execPath: '/x/node' }));
  },
  'foreground-child': async (load, show) =>
    show(
      typeof (await load.all('foreground-child')).foregroundChild,
      spawnSync(
        process.execPath,
        [
          '-e',
          `const from = ${JSON.stringify(require.resolve('foreground-child'))};
           require(from).foregroundChild('sh', ['-c', 'echo in; exit 4'])`,
        ],
        { encoding: 'utf8' },
      ).stdout,
    ),
  'human-signals': async (load, show) =>
    show((await load.all('human-signals')).signalsByName.SIGTERM),
  'has-flag': async (load, show) =>
    show((await load('has-flag'))('x', ['--x']), (await load('has-flag'))('y', ['--', '--y'])),
  dotenv: async (load, show, folder) => {
    const dotenv = await load('dotenv');
    require('fs').writeFileSync(`${folder}/.env`, 'A=1\nB="x\\ny" # c\nexport C=\'$A\'\n');
    show(
      dotenv.config({ path: `${folder}/.env`, quiet: true }).parsed,
      process.env.B,
      dotenv.parse('D=a=b'),
    );
  },
  'ci-info': async (load, show) => show((await load('ci-info')).isCI, (await load('ci-info')).name),
  'detect-libc': async (load, show) =>
    show(
      (await load('detect-libc')).familySync(),
      await (await load('detect-libc')).isNonGlibcLinux(),
    ),
  callsites: async (load, show) => {
    const callsites = await load('callsites');
    (function outer() {
      show(
        callsites()[0].getFunctionName(),
        path.basename(callsites()[0].getFileName()),
        callsites()[0].getLineNumber() > 0,
      );
    })();
  },
  'parent-module': async (load, show) =>
    show(path.basename((await load('parent-module'))() ?? 'none')),
  'import-fresh': async (load, show, folder) => {
    const fresh = await load('import-fresh');
    require('fs').writeFileSync(`${folder}/n.js`, 'let i = 0; module.exports = () => ++i;');
    show(fresh(`${folder}/n.js`)(), fresh(`${folder}/n.js`)());
  },
  'resolve-from': async (load, show) =>
    show(
      path.basename((await load('resolve-from'))(__dirname, 'semver')),
      (await load('resolve-from')).silent(__dirname, './nothing'),
    ),
  resolve: async (load, show) => {
    const resolve = await load('resolve');
    show(path.basename(resolve.sync('semver', { basedir: __dirname })), resolve.isCore('fs'));
    await new Promise((done) =>
      resolve('./nothing', { basedir: '/' }, (error) => {
        show(error.code);
        done();
      }),
    );
  },
  'is-core-module': async (load, show) => {
    const is = await load('is-core-module');
    show(['fs', 'node:test', 'test', 'x', 'node:sqlite'].map((name) => is(name)));
  },
  'source-map-support': async (load, show) => {
    const support = await load('source-map-support');
    support.install({ retrieveFile: () => null });
    show(/ at /.test(new Error('x').stack), typeof support.wrapCallSite);
  },
  jiti: async (load, show, folder) => {
    const { createJiti } = await load.all('jiti');
    require('fs').writeFileSync(
      `${folder}/a.ts`,
      'import { join } from "node:path"; enum E { A = 3 } export const a: number = E.A;' +
        'export default join("x", "y");',
    );
    const jiti = createJiti(`${folder}/`, { fsCache: false });
    show({ ...(await jiti.import(`${folder}/a.ts`)) });
  },
  cosmiconfig: async (load, show, folder) => {
    const { cosmiconfig } = await load.all('cosmiconfig');
    require('fs').writeFileSync(`${folder}/.toolrc`, 'a: 1\nb: [x]\n');
    require('fs').writeFileSync(`${folder}/tool.config.mjs`, 'export default { c: 2 };');
    show(
      (await cosmiconfig('tool').search(folder)).config,
      (await cosmiconfig('tool').load(`${folder}/tool.config.mjs`)).config,
    );
  },
  open: async (load, show) => {
    const { default: open, apps } = await load.all('open');
    show(typeof open, Object.keys(apps).sort());
    await open('').catch((error) => show(error.name));
  },
  jackspeak: async (load, show) => {
    const { jack } = await load.all('jackspeak');
    const parser = jack({ envPrefix: 'T' })
      .flag({ verbose: { short: 'v', description: 'talks' } })
      .num({ count: { default: 3 } })
      .optList({ name: {} });
    show(parser.parse(['-v', '--count=5', '--name=a', '--name=b', 'rest']), parser.usage());
    try {
      parser.parse(['--count=x']);
    } catch (error) {
      show(error.message);
    }
  },
  escalade: async (load, show, folder) => {
    require('fs').mkdirSync(`${folder}/x/y`, { recursive: true });
    require('fs').writeFileSync(`${folder}/x/package.json`, '{}');
    show(
      path.relative(
        folder,
        await (
          await load('escalade')
        )(`${folder}/x/y`, (at, names) => names.includes('package.json') && 'package.json'),
      ),
    );
  },
  'supports-preserve-symlinks-flag': async (load, show) =>
    show(await load('supports-preserve-symlinks-flag')),
  '@opentelemetry/core': async (load, show) => {
    const { W3CTraceContextPropagator, hrTimeToMilliseconds, CompositePropagator } =
      await load.all('@opentelemetry/core');
    show(
      new W3CTraceContextPropagator().fields(),
      hrTimeToMilliseconds([1, 5e8]),
      new CompositePropagator({}).fields(),
    );
  },
  'jest-util': async (load, show) => {
    const util = await load('jest-util');
    show(
      util.deepCyclicCopy({ a: [1, { b: 2 }] }),
      util.isPromise(Promise.resolve()),
      util.pluralize('test', 2),
      util.replacePathSepForGlob('a\\b'),
    );
  },
  depd: async (load, show) => {
    const deprecate = (await load('depd'))('lib');
    process.on('deprecation', (error) => show(error.message, error.namespace));
    deprecate('old thing');
  },
};
