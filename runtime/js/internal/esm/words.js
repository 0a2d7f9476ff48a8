'use strict';
// What is said when modules do not fit together.

const path = require('path');
const resolver = require('internal/modules/resolve');
const { withCode } = require('internal/errors/errors');
const { toPath, toUrl, parentFile } = require('internal/esm/resolve');

// require() of an ES module where that is turned off.
function requireOfEsm(file, from) {
  let text = `require() of ES Module ${file}${from ? ` from ${from}` : ''} not supported.`;
  const own = file.endsWith('.js') ? resolver.packageOf(file) : undefined;
  const name = path.basename(file);
  if (own === undefined) {
    text += `\nInstead change the require of ${file} to a dynamic import() which is available in ` +
      'all CommonJS modules.';
  } else if (looksLikeCommon(file)) {
    text += `\n${name} is treated as an ES module file as it is a .js file whose nearest parent ` +
      'package.json contains "type": "module" which declares all .js files in that package scope ' +
      `as ES modules.\nInstead either rename ${name} to end in .cjs, change the requiring code ` +
      'to use dynamic import() which is available in all CommonJS modules, or change "type": ' +
      `"module" to "type": "commonjs" in ${own.folder}/package.json to treat all .js files as ` +
      'CommonJS (using .mjs for all ES modules instead).\n';
  } else {
    text += `\nInstead change the require of ${name} in ${from ?? null} to a dynamic import() ` +
      'which is available in all CommonJS modules.';
  }
  return withCode(Error, 'ERR_REQUIRE_ESM', text);
}

function looksLikeCommon(file) {
  try {
    binding('modules').compileFunction(binding('fs').readFileSync(file, true, 0), file);
    return true;
  } catch {
    return false;
  }
}

// --trace-require-module
function tellOfRequire(file, parent) {
  const how = require('internal/boot/options').last('trace-require-module');
  const from = parent?.filename;
  if (how === 'no-node-modules' && from && /[\\/]node_modules[\\/]/.test(from)) return;
  const who = from ? `CommonJS module ${from} is loading ES Module ${file} using require().`
    : `--require is loading ES Module ${file} using require().`;
  process.emitWarning(`${who}\nSupport for loading ES Module in require() is an experimental ` +
    'feature and might change at any time', 'ExperimentalWarning');
}

const NOTE = 'To load an ES module, set "type": "module" in the package.json or use the .mjs ' +
  'extension.';
const ESM_SYNTAX = ["Unexpected token 'export'", 'Cannot use import statement outside a module',
  "Cannot use 'import.meta' outside a module"];

// Whether a file that does not compile as CommonJS is an ES module, since nothing says otherwise.
function isDetected(file, content, error) {
  const { formatOf } = require('internal/modules/format');
  const isOpen = !file.endsWith('.cjs') && !(resolver.packageOf(file)?.data.type === 'commonjs');
  const options = require('internal/boot/options');
  if (isOpen && options.isOn('experimental-detect-module') !== false &&
      options.isOn('experimental-require-module') !== false &&
      formatOf(file, () => content) === 'module') return true;
  // At once: the error that follows may be the end.
  if (ESM_SYNTAX.includes(error.message)) {
    process.emit('warning', require('internal/process/warnings').makeWarning(NOTE));
  }
  return false;
}

const typeless = new Set(); // folders of packages that were told of

// An ES module that only its source shows to be one, outside of other people's packages.
function tellOfTypeless(file, address) {
  const own = file.endsWith('.js') ? resolver.packageOf(file) : undefined;
  if (own === undefined || typeless.has(own.folder)) return;
  if (file.includes('/node_modules/')) return;
  typeless.add(own.folder);
  process.emitWarning(`Module type of ${address} is not specified and it doesn't parse as ` +
    'CommonJS.\nReparsing as ES module because module syntax was detected. This incurs a ' +
    'performance overhead.\nTo eliminate this warning, add "type": "module" to ' +
    `${path.join(own.folder, 'package.json')}.`, { code: 'MODULE_TYPELESS_PACKAGE_JSON' });
}

// Where in the source an import stands: [line, column, length] of the name, else of the statement.
function placeOf(source, specifier, name) {
  const quoted = specifier.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const statement = new RegExp(`(?:import|export)\\b([^'";]*?)from\\s*(['"])${quoted}\\2`);
  const match = statement.exec(source);
  if (match === null) return undefined;
  const inside = new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`).exec(match[1]);
  const at = inside === null ? match.index
    : match.index + match[0].indexOf(match[1]) + inside.index;
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1).length,
    length: inside === null ? 1 : name.length, names: match[1], whole: match[0] };
}

function isCommon(address) {
  const { formatOf } = require('internal/esm/esm');
  return address.startsWith('file://') && formatOf(address) === 'commonjs';
}

// A name that a CommonJS module does not seem to export.
function commonHint(specifier, name, place) {
  let text = `Named export '${name}' not found. The requested module '${specifier}' is a ` +
    'CommonJS module, which may not support all module.exports as named exports.\nCommonJS ' +
    'modules can always be imported via the default export, for example using:\n\n' +
    `import pkg from '${specifier}';\n`;
  const list = place === undefined || place.whole.includes('\n') ? null
    : /\{.*\}/.exec(place.names);
  if (list !== null) text += `const ${list[0].replace(/\s+as\s+/g, ': ')} = pkg;\n`;
  return text;
}

const KINDS = [, (specifier, name) => `The requested module '${specifier}' does not provide an ` +
  `export named '${name}'`, (specifier, name) => `The requested module '${specifier}' contains ` +
  `conflicting star exports for name '${name}'`,
(specifier, name) => `Detected cycle while resolving name '${name}' in '${specifier}'`];

// The error of a link that fails.
function linkError(kind, importer, specifier, name, found) {
  const source = require('internal/modules/sources').get(importer) ?? '';
  const place = placeOf(source, specifier, name);
  const isHint = kind === 1 && name !== 'default' && isCommon(found);
  const message = isHint ? commonHint(specifier, name, place) : KINDS[kind](specifier, name);
  const error = new SyntaxError(message);
  if (place === undefined) return error;
  const head = `${importer}:${place.line}\n${source.split('\n')[place.line - 1]}\n` +
    `${' '.repeat(place.column)}${'^'.repeat(place.length)}\n`;
  const frames = error.stack.split('\n').filter((line) => line.startsWith('    at '));
  error.stack = `${head}SyntaxError: ${message}\n${frames.join('\n')}`;
  return error;
}

// A module that is not there, and that require() would find.
function hintOfCommon(error, specifier, parent) {
  const found = findAsCommon(specifier, parent);
  if (found === undefined) return error;
  const hint = `Did you mean to import ${JSON.stringify(found)}?`;
  const [first, ...rest] = error.stack.split('\n');
  error.message += `\n${hint}`;
  error.stack = [first, hint, ...rest].join('\n');
  return error;
}

function findAsCommon(specifier, parent) {
  try {
    const file = parentFile(parent);
    const Module = require('module');
    const from = new Module(file);
    from.filename = file;
    from.paths = Module._nodeModulePaths(path.dirname(file));
    const found = Module._resolveFilename(specifier.startsWith('file:') ? toPath(specifier)
      : specifier, from);
    const address = toUrl(found);
    if (/^\.\.?\//.test(specifier)) {
      const base = toUrl(path.dirname(file));
      const relative = path.posix.relative(base.slice(7), address.slice(7));
      return /^\.\.?\//.test(relative) ? relative : `./${relative}`;
    }
    const at = address.lastIndexOf('/node_modules/');
    const [name] = resolver.split(specifier);
    const short = at === -1 ? address.slice(7) : address.slice(at + 14);
    return at !== -1 && name !== specifier ? short : address.slice(7);
  } catch {
    return undefined;
  }
}

const COMMON_NAMES = ['module', 'exports', 'require', '__filename', '__dirname'];

// A ReferenceError of an ES module that uses the names of CommonJS.
function explain(error) {
  if (!(error instanceof ReferenceError)) return;
  const name = /^(\w+) is not defined$/.exec(error.message)?.[1];
  if (!COMMON_NAMES.includes(name)) return;
  const address = /\n {4}at (?:[^\n]*\()?((?:file|data):[^\n]*?):\d+:\d+\)?(?:\n|$)/
    .exec(error.stack)?.[1];
  if (address === undefined) return;
  let text = `${error.message} in ES module scope`;
  if (name === 'require') text += ', you can use import instead';
  const own = address.startsWith('file://') ? resolver.packageOf(toPath(address)) : undefined;
  if (own?.data.type === 'module' && toPath(address).endsWith('.js')) {
    text += "\nThis file is being treated as an ES module because it has a '.js' file extension " +
      `and '${own.folder}/package.json' contains "type": "module". To treat it as a CommonJS ` +
      "script, rename it to use the '.cjs' file extension.";
  }
  const { stack } = error;
  const before = error.message;
  error.message = text;
  error.stack = stack.replace(before, () => text);
}

module.exports = {
  requireOfEsm, tellOfRequire, tellOfTypeless, isDetected, linkError, hintOfCommon, explain,
};
