'use strict';
// Coverage as lcov.

const { Transform } = require('stream');
const { relative } = require('path');

const pair = (kind, total, covered) => `${kind}F:${total}\n${kind}H:${covered}\n`;

function fileText(file, folder) {
  const names = file.functions.map(({ name }, i) => name || `anonymous_${i}`);
  let text = `SF:${relative(folder, file.path)}\n`;
  file.functions.forEach(({ line }, i) => { text += `FN:${line},${names[i]}\n`; });
  file.functions.forEach(({ count }, i) => { text += `FNDA:${count},${names[i]}\n`; });
  text += pair('FN', file.totalFunctionCount, file.coveredFunctionCount);
  file.branches.forEach(({ line, count }, i) => { text += `BRDA:${line},${i},0,${count}\n`; });
  text += pair('BR', file.totalBranchCount, file.coveredBranchCount);
  for (const { line, count } of file.lines) text += `DA:${line},${count}\n`;
  const lines = `LH:${file.coveredLineCount}\nLF:${file.totalLineCount}\n`;
  return `${text}${lines}end_of_record\n`;
}

module.exports = class LcovReporter extends Transform {
  constructor(options) { super({ ...options, writableObjectMode: true }); }

  _transform({ type, data }, encoding, done) {
    if (type !== 'test:coverage') {
      done(null);
      return;
    }
    const { files, workingDirectory } = data.summary;
    done(null, `TN:\n${files.map((file) => fileText(file, workingDirectory)).join('')}`);
  }
};
