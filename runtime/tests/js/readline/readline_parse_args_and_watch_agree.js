'use strict';
const rl = require('readline');
const { PassThrough } = require('stream');
const i = new PassThrough();
const r = rl.createInterface({ input: i });
r.on('line', (l) => console.log('line', l));
r.on('close', () => {
  console.log('close');
  it();
});
i.write('a\nb\r\nc');
i.end('d\ne');
async function it() {
  const j = new PassThrough();
  j.end('1\n2\n3');
  for await (const l of rl.createInterface({ input: j })) console.log(l);
  const { parseArgs } = require('util');
  console.log(
    parseArgs({
      args: ['-f', '--bar', 'b', 'x'],
      options: { foo: { type: 'boolean', short: 'f' }, bar: { type: 'string' } },
      allowPositionals: true,
    }),
  );
  const fs = require('fs');
  const d = fs.mkdtempSync('./ph-');
  const w = fs.watch(d, (t, f) => {
    console.log('watch', t, f);
    w.close();
  });
  w.on('close', () => {
    console.log('wclosed');
    fs.rmSync(d, { recursive: true });
  });
  setTimeout(() => fs.writeFileSync(d + '/x', ''), 20);
}
