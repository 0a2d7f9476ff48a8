import process, { argv, cwd, env, exit, hrtime, nextTick, stdout } from 'node:process';

console.log([argv, cwd, env, exit, hrtime, stdout].every((value) => value !== undefined));
console.log(nextTick === process.nextTick, Object.keys(process).includes('nextTick'));
nextTick(() => console.log('ticked'));
