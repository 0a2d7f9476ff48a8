// yargs, commander, minimist
'use strict';
const minimist = require('minimist');
const { Command } = require('commander');
const yargs = require('yargs/yargs');

console.log(minimist(['-a', '1', '--flag', '--no-color', '--name=x', 'rest', '--', 'more']));

const program = new Command('tool').exitOverride().configureOutput({
  writeErr: (text) => console.log('err', text), writeOut: (text) => console.log(text) });
program.option('-p, --port <n>', 'port', Number, 80).option('-v, --verbose', 'talk');
program.command('add <a> <b>').description('adds').action((a, b) => console.log('sum', +a + +b));
program.parse(['add', '2', '3', '-p', '9'], { from: 'user' });
console.log(program.opts());
try {
  program.parse(['--nope'], { from: 'user' });
} catch (error) {
  console.log(error.code);
}
program.outputHelp();

const make = () => yargs([]).scriptName('tool').exitProcess(false).wrap(80);
console.log(make().option('size', { type: 'number', alias: 's', default: 3 })
  .parse(['--size', '5', 'x', '--deep.a', 'b']));
make().command('greet <name>', 'says hello', () => {}, (argv) => console.log('hello', argv.name))
  .parse(['greet', 'you']);
make().command('one', 'first').option('q', { describe: 'quiet', type: 'boolean' })
  .getHelp().then((help) => console.log(help));
