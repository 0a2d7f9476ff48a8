const { exec } = require('child_process');
const run = (command, options, encoding) => new Promise((resolve) => {
  const child = exec(command, options, (error, out, err) => {
    console.log(error?.code, error?.message, typeof out, out.length < 100 ? out : out.length, err);
    resolve();
  });
  child.stdout.setEncoding(encoding);
});
(async () => {
  await run('printf "\\303\\251 abc"; printf err >&2', {}, 'latin1');
  await run('printf "\\303\\251 abc"', { encoding: 'buffer' }, 'utf8');
  await run('head -c 300000 /dev/zero | tr "\\0" a', {}, 'utf8');
  await run('head -c 3000 /dev/zero | tr "\\0" a', { maxBuffer: 100 }, 'utf8');
})();
