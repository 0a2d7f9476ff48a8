'use strict';
// Another program reads the channel: the bytes are those that Node's own children understand.
const {fork} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'copies-'));
const script = path.join(folder, 'reader.sh');
fs.writeFileSync(script, 'od -An -v -tx1 -w16 -N 129 <&3\n');
const child = fork(script, [], {execPath: '/bin/sh', execArgv: [], serialization: 'advanced'});
const error = Object.assign(new TypeError('m'), {stack: 'S', code: 5});
for (const message
         of [1, {a: 'x€'}, Buffer.from('ab'),
             [new Uint16Array([1]), new DataView(new ArrayBuffer(1))], error,
             new Map([[1, new Set([2])]]), new Date(5), [10n]])
    child.send(message);
child.on('exit', (code) => {
    console.log(code);
    fs.rmSync(folder, {recursive: true});
});
