'use strict';
// The address that an import means: Node's default resolver.

const fs = binding('fs');
const path = require('path');
const builtins = require('internal/builtins');
const resolver = require('internal/modules/resolve');
const { withCode } = require('internal/errors/errors');

function toUrl(file) {
  return `file://${encodeURI(file).replace(/[?#]/g, encodeURIComponent)}`;
}

function toPath(address) {
  return decodeURIComponent(address.slice(7).replace(/[?#].*$/s, ''));
}

// The file of who imports, for messages and as the place to search from.
function parentFile(parent) {
  if (parent.startsWith('file://')) return toPath(parent);
  return parent;
}

function folderOf(file) {
  return file.endsWith('/') ? file.slice(0, -1) || '/' : path.dirname(file);
}

function parentAddress(parent) {
  if (parent.startsWith('/')) return toUrl(parent);
  if (/^[a-z][a-z0-9+.-]*:/i.test(parent)) return parent;
  const folder = (parent === '[eval]' && require('internal/modules/sources').home) || process.cwd();
  return toUrl(parent === '' ? `${folder}/` : path.join(folder, parent));
}

// An own property, whatever programs have put on prototypes.
function withUrl(error, url) {
  Object.defineProperty(error, 'url',
    { value: url, writable: true, configurable: true, enumerable: true });
  return error;
}

function notFound(what, parent, url) {
  const error = withCode(Error, 'ERR_MODULE_NOT_FOUND', `${what} imported from ${parent}`);
  return url === undefined ? error : withUrl(error, url);
}

// The file must be there; it goes by its real name.
function finish(file, query, from, written) {
  if (file.includes('\0')) throw notFound(`Cannot find module '${file}'`, from);
  const kind = file.endsWith('/') ? (fs.lookUp(file) === 2 ? 2 : 3) : fs.lookUp(file);
  const plain = file.length > 1 && kind !== 3 ? file.replace(/\/$/, '') : file;
  if (kind === 2) {
    throw withUrl(withCode(Error, 'ERR_UNSUPPORTED_DIR_IMPORT',
      `Directory import '${written ? file : plain}' is not supported resolving ES modules ` +
      `imported from ${from}`), toUrl(file) + query);
  }
  if (kind !== 1) throw notFound(`Cannot find module '${file}'`, from, toUrl(file) + query);
  return toUrl(resolver.keepsLinks() ? file : fs.placeOf(file)) + query;
}

// An address with a host, which is no file of this machine unless it is "localhost".
function fromHost(address, from) {
  try {
    return require('url').fileURLToPath(address);
  } catch (error) {
    throw Object.assign(error, { input: new URL(address).href, module: toUrl(from) });
  }
}

// An address of a file: encoded separators are refused.
function fromFileAddress(address, from) {
  const query = /[?#].*$/s.exec(address)?.[0] ?? '';
  const plain = query === '' ? address : address.slice(0, -query.length);
  if (/%2f|%5c/i.test(plain)) {
    throw require('internal/modules/package_maps').invalidSpecifier(plain.slice(7),
      'must not include encoded "/" or "\\" characters', from);
  }
  const file = plain.startsWith('file:///') ? decodeURIComponent(plain.slice(7))
    : fromHost(plain, from);
  return finish(file, query, from, true);
}

// Where a package begins without "exports": its main file in all of its spellings.
function mainFile(folder, data, base) {
  const names = [];
  const main = typeof data?.main === 'string' ? data.main : undefined;
  if (main) {
    for (const end of ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'])
      names.push(path.resolve(folder, main + end));
  }
  for (const name of ['index.js', 'index.json', 'index.node']) names.push(`${folder}/${name}`);
  const found = names.find((name) => fs.lookUp(name) === 1);
  if (found === undefined) {
    const wanted = main ? path.resolve(folder, main) : `${folder}/index.js`;
    throw notFound(`Cannot find package '${wanted}'`, base);
  }
  tellOfMain(found, folder, main, base);
  return found;
}

// An ES module is to be named in full.
function tellOfMain(file, folder, main, base) {
  if (main && path.resolve(folder, main) === file) return;
  const own = resolver.packageOf(file);
  if (!(file.endsWith('.mjs') || (file.endsWith('.js') && own?.data.type === 'module'))) return;
  const name = file.slice(folder.length + 1);
  process.emitWarning(main
    ? `Package ${folder}/ has a "main" field set to "${main}", excluding the full filename and ` +
      `extension to the resolved file at "${name}", imported from ${base}.\n Automatic extension ` +
      'resolution of the "main" field is deprecated for ES modules.'
    : `No "main" or "exports" field defined in the package.json for ${folder}/ resolving the ` +
      `main entry point "${name}", imported from ${base}.\nDefault "index" lookups for the main ` +
      'are deprecated for ES modules.', 'DeprecationWarning', 'DEP0151');
}

function packageName(specifier, base) {
  const [name, subpath] = resolver.split(specifier);
  const isWrong = specifier === '' || /^\.|[%\\]/.test(name) ||
    (name[0] === '@' && !name.includes('/')) || specifier[0] === '/';
  if (isWrong) {
    throw require('internal/modules/package_maps').invalidSpecifier(specifier,
      'is not a valid package name', base);
  }
  return [name, subpath];
}

// What a package exports are addresses: they may have queries.
function exported(data, folder, subpath, conditions, from) {
  const told = { query: '' };
  const { fromExports } = require('internal/modules/package_maps');
  const file = fromExports(data, folder, subpath, conditions, from, told);
  return finish(file, told.query, from);
}

// An address.
function fromPackage(specifier, file, conditions) {
  const [name, subpath] = packageName(specifier, file);
  const own = resolver.packageOf(`${folderOf(file)}/.`);
  if (own && own.data.name === name && own.data.exports !== undefined &&
      own.data.exports !== null) {
    return exported(own.data, own.folder, subpath, conditions, file);
  }
  const folders = resolver.modulePaths(folderOf(file));
  for (let i = 0; i < folders.length; i++) {
    const folder = `${folders[i]}/${name}`;
    if (fs.lookUp(folder) !== 2) continue;
    const data = resolver.readPackage(folder, `"${specifier}" from ${file}`);
    if (data !== null && data.exports !== undefined && data.exports !== null) {
      return exported(data, folder, subpath, conditions, file);
    }
    if (subpath === '.') return finish(mainFile(folder, data, file), '', file);
    return fromFileAddress(new URL(subpath, `${toUrl(folder)}/`).href, file);
  }
  throw notFound(`Cannot find package '${name}'`, file);
}

function fromImports(specifier, file, conditions) {
  const own = resolver.packageOf(file);
  const found =
    require('internal/modules/package_maps').fromImports(specifier, own, conditions, file);
  if (found.bare === undefined) return finish(found, '', file);
  const id = resolver.builtinId(found.bare);
  return id !== undefined ? `node:${id}` : fromPackage(found.bare, `${own.folder}/.`, conditions);
}

function unsupported(specifier, parent) {
  const error = withCode(TypeError, 'ERR_UNSUPPORTED_RESOLVE_REQUEST',
    `Failed to resolve module specifier "${specifier}" from "${parent}": Invalid relative URL or ` +
    'base scheme is not hierarchical.');
  try {
    new URL(specifier, parent);
  } catch (cause) {
    error.cause = cause;
  }
  return error;
}

// What is relative to something that is no file.
function fromElsewhere(specifier, parent) {
  try {
    return new URL(specifier, /^\.{0,2}\//.test(specifier) ? parent : undefined).href;
  } catch {
    throw unsupported(specifier, parent);
  }
}

// The address of a module.
function resolve(specifier, referrer, conditions) {
  const id = resolver.builtinId(specifier);
  if (id !== undefined) return `node:${id}`;
  const parent = parentAddress(referrer);
  if (!parent.startsWith('file:') && !/^[a-z][a-z0-9+.-]*:/i.test(specifier)) {
    const found = fromElsewhere(specifier, parent);
    return found.startsWith('file:') ? fromFileAddress(found, parent) : found;
  }
  const file = parentFile(parent);
  if (specifier.startsWith('file:')) {
    const isPlain = specifier.startsWith('file:///') && !/[\s\\"<>^`{|}]|\/\./.test(specifier);
    return fromFileAddress(isPlain ? specifier : new URL(specifier).href, file);
  }
  if (specifier[0] === '/' || /^\.\.?(\/|$)/.test(specifier)) {
    if (!/[%?#\\\t\n\r]/.test(specifier) && !specifier.startsWith('//')) {
      const isFolder = /(^|\/)\.{0,2}$/.test(specifier);
      const found = path.resolve(folderOf(file), specifier);
      return finish(isFolder && found !== '/' ? `${found}/` : found, '', file, true);
    }
    return fromFileAddress(new URL(specifier, parent).href, file);
  }
  if (specifier[0] === '#') return fromImports(specifier, file, conditions);
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) {
    try {
      return specifier.startsWith('data:') ? specifier : new URL(specifier).href;
    } catch {
      // A name with a colon.
    }
  }
  if (builtins.exposed?.(specifier) !== undefined) return `node:${specifier}`;
  return fromPackage(specifier, file, conditions);
}

module.exports = { resolve, toUrl, toPath, parentAddress, parentFile, mainFile };
