// Files that a worker has opened are closed with it.
const { Worker } = require('worker_threads');
const fs = require('fs');
const programs = {
  timer: 'setInterval(() => {}, 1000)', busy: 'for (;;);',
  server: 'require("net").createServer().listen(0)',
  files: 'const fs = require("fs"); for (let i = 0; i < 5; i++) fs.openSync("/dev/null"); ' +
    'fs.closeSync(fs.openSync("/dev/null")); setInterval(() => {}, 1000)',
  stream: 'setInterval(() => {}, 1000); require("fs").createReadStream("/dev/zero").resume()',
  ends: 'require("fs").openSync("/dev/null")',
};
const count = () => fs.readdirSync('/proc/self/fd').length;

async function run(program) {
  const worker = new Worker(program, { eval: true });
  await new Promise((resolve) => { worker.on('online', resolve); });
  await new Promise((resolve) => { setTimeout(resolve, 10); });
  await worker.terminate();
}

(async () => {
  for (const name of Object.keys(programs)) {
    await run(programs[name]);
    const before = count();
    for (let i = 0; i < 6; i++) await run(programs[name]);
    console.log(name, count() - before < 3);
  }
  process.exit();
})();
