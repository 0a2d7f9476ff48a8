'use strict';
// --check: what does not compile is told, and nothing runs.

const native = binding('modules');
const { checked, compileFunction } = require('internal/errors/syntax');

// What looks like a module compiles as one; what does not, fails before it runs.
function checkModule(source, name) {
  if (!native.looksLikeModule(source)) checked(() => native.evalModule(source, name));
}

// Programs that are loaded first may change what is put around files.
function isWrapped(text) {
  return !text.startsWith('(function (exports, require, module, __filename, __dirname) { ') ||
    !text.endsWith('\n});');
}

function checkFile(file) {
  const source = binding('fs').readFileSync(file, true, 0);
  const { formatOf } = require('internal/modules/format');
  const text = require('module').wrap(source);
  if (formatOf(file, () => source) === 'module') checkModule(source, file);
  else if (isWrapped(text)) checked(() => native.runScript(text, file, false, true));
  else compileFunction(source, file);
}

function checkText(source, type) {
  const name = '[stdin]';
  require('internal/modules/sources').keep(name, source);
  if (type === 'module') checkModule(source, name);
  else compileFunction(source, name);
}

module.exports = { checkFile, checkText };
