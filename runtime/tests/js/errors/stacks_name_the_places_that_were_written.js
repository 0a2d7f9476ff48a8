'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'maps-')));
// The second line of made.js is the fifth of written.ts.
const map = { version: 3, sources: ['written.ts'], names: [], mappings: 'AAAA;AAIIA' };
const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
const address = `data:application/json;base64,${encoded}`;
const text = `'use strict';
exports.fail = function fail() { return new Error('x'); };
//# sourceMappingURL=${address}
`;
const show = (error) => console.log(error.stack.split('\n').slice(0, 2).join('\n')
  .replaceAll(folder, 'FOLDER'));

for (const name of ['before', 'made', 'after']) fs.writeFileSync(`${folder}/${name}.js`, text);
show((0, require(`${folder}/before.js`).fail)());
process.setSourceMapsEnabled(true);
console.log(process.sourceMapsEnabled);
show((0, require(`${folder}/made.js`).fail)());
process.setSourceMapsEnabled(false);
show((0, require(`${folder}/after.js`).fail)());
fs.rmSync(folder, { recursive: true });
