// needs: modules
const { Worker } = require('worker_threads');
const fs = require('fs');
fs.writeFileSync('never.mjs', 'export const x = 1; await new Promise(() => {});');
const programs = [
  'await new Promise(() => {})',
  'process.on("exit", (code) => console.log("exit", code, process.exitCode)); ' +
    'await new Promise(() => {})',
  'process.exitCode = 3; await new Promise(() => {})',
  'setTimeout(() => process.exit(), 1); await new Promise(() => {})',
  'import { x } from "./never.mjs"; console.log(x)',
  'await import("./never.mjs")',
  'await Promise.all([import("./never.mjs"), new Promise(() => {})])',
  'for await (const x of (async function* () { yield 1; await new Promise(() => {}); })()) ' +
    'console.log(x)',
  'await new Promise(() => setInterval(() => {}, 1000))',
];

async function run(program, i, how) {
  let worker;
  if (how === 'file') {
    fs.writeFileSync(`program${i}.mjs`, program);
    worker = new Worker(`./program${i}.mjs`);
  } else {
    worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  }
  worker.on('error', (error) => console.log(error.message));
  await new Promise((resolve) => {
    worker.on('exit', (code) => {
      console.log(how, i, code);
      resolve();
    });
    if (!program.includes('setInterval')) return;
    worker.on('online', () => setTimeout(() => worker.terminate(), 300));
  });
}

(async () => {
  for (let i = 0; i < programs.length; i++) {
    await run(programs[i], i, 'file');
    if (!programs[i].includes('./')) await run(programs[i], i, 'data');
  }
})();
