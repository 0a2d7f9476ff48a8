'use strict';
// What may follow the text before the cursor.

const fs = require('fs');
const path = require('path');
const { libraries } = require('internal/repl/context');

const KEYWORDS = ['async', 'await', 'break', 'case', 'catch', 'const', 'continue', 'debugger',
  'default', 'delete', 'do', 'else', 'export', 'false', 'finally', 'for', 'function', 'if',
  'import', 'in', 'instanceof', 'let', 'new', 'null', 'return', 'switch', 'this', 'throw', 'true',
  'try', 'typeof', 'var', 'void', 'while', 'with', 'yield'];
const HIDDEN = new Set(['__defineGetter__', '__defineSetter__', '__lookupGetter__',
  '__lookupSetter__']);
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const EXPRESSION =
  /(?:[\w$'"`[{(](?:[\w$'"`\]})])*\??\.)*(?:[a-zA-Z_$](?:\w|\$)*)?\??\.?$/;
const REQUIRE = /\brequire\s*\(\s*['"`](([\w@./:-]+\/)?(?:[\w@./:-]*))(?![^'"`])$/;
const IMPORT = /\bimport\s*\(\s*['"`](([\w@./:-]+\/)?(?:[\w@./:-]*))(?![^'"`])$/;
const FILE = /\bfs\.(?:promises\.)?[a-z]\w+\(\s*["'](.*)$/i;
const MOST_PROTOTYPES = 5;

function list(folder) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(entry, folder) {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return fs.statSync(path.join(folder, entry.name)).isDirectory();
  } catch {
    return false;
  }
}

// The names of files and folders that a specifier may go on with.
function specifiers(server, typed, below, isImport) {
  if (typed === '.') return ['./', '../'];
  if (typed === '..') return ['../'];
  let folders = server.context.module?.paths ?? [];
  if (/^\.\.?\//.test(typed)) folders = [process.cwd()];
  else if (path.isAbsolute(typed)) folders = ['/'];
  const extensions = Object.keys(require('module')._extensions);
  const found = [];
  for (const folder of folders) {
    const at = path.resolve(folder, below);
    for (const entry of list(at)) {
      const { name } = entry;
      if (/^(?:node_modules|\.+)$/.test(name) || /^\./.test(name)) continue;
      if (isFolder(entry, at)) {
        found.push(`${below}${name}/`);
        const isPackage = list(path.join(at, name)).some((one) => one.name === 'package.json' ||
          extensions.some((extension) => one.name === `index${extension}`));
        if (isPackage) found.push(`${below}${name}`);
        continue;
      }
      const extension = path.extname(name);
      if (isImport) {
        if (['.js', '.cjs', '.mjs', '.json', '.node'].includes(extension)) {
          found.push(`${below}${name}`);
        }
      } else if (extensions.includes(extension) && !/-\d+\.\d+/.test(name)) {
        const base = name.slice(0, -extension.length);
        if (!below || base !== 'index') found.push(`${below}${base}`);
      }
    }
  }
  return found;
}

function completeSpecifier(server, [, typed, below = ''], isImport) {
  const groups = [];
  const found = specifiers(server, typed, below, isImport);
  if (found.length > 0) groups.push(found);
  const known = require('module').builtinModules;
  groups.push(libraries, libraries.filter((name) => known.includes(name))
    .map((name) => `node:${name}`));
  return { groups, typed };
}

function completeFile([, typed]) {
  let folder = typed;
  let base = '';
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) {
    base = path.basename(typed);
    folder = path.dirname(typed);
  }
  const names = list(folder).map((entry) => entry.name)
    .filter((name) => name.startsWith(base)).sort();
  return { groups: [names], typed: base };
}

function namesOf(object) {
  let names;
  try {
    names = Object.getOwnPropertyNames(object);
  } catch {
    return [];
  }
  const isRoot = Object.getPrototypeOf(object) === null && names.includes('__defineGetter__');
  return names.filter((name) => NAME.test(name) && !(isRoot && HIDDEN.has(name)));
}

function prototypesOf(object) {
  const groups = [];
  for (let at = object; at !== null && at !== undefined && groups.length < MOST_PROTOTYPES;
    at = Object.getPrototypeOf(at)) groups.push(namesOf(at));
  return groups;
}

// Elements have no names that could be typed; millions of them are not looked at.
function memberNames(value) {
  if (value === null || value === undefined) return [];
  const isObject = typeof value === 'object' || typeof value === 'function';
  if (!isObject) return prototypesOf(Object.getPrototypeOf(Object(value)));
  const own = binding('util').namesBesideElements(value);
  if (own === undefined) return prototypesOf(value);
  return [own.filter((name) => typeof name === 'string' && NAME.test(name)),
    ...prototypesOf(Object.getPrototypeOf(value))];
}

function globalNames(server) {
  const groups = [];
  if (server._isStandalone || process.features.inspector) {
    groups.push(require('internal/repl/evaluate').declaredAt(server));
  }
  let own = namesOf(server.context);
  if (!server.useGlobal) {
    own = [...new Set([...own, ...require('vm').runInContext(
      'Object.getOwnPropertyNames(globalThis)', server.context).filter((n) => NAME.test(n))])];
  }
  let inherited = prototypesOf(Object.getPrototypeOf(server.context));
  inherited = inherited.length > 0 ? inherited : prototypesOf(Object.prototype);
  groups.push(...inherited, own, KEYWORDS);
  return groups;
}

function completeExpression(server, line, done) {
  const match = EXPRESSION.exec(line)?.[0] ?? '';
  if (line.length !== 0 && match === '') {
    done({ groups: [], typed: undefined });
    return;
  }
  const dot = match.lastIndexOf('.');
  let expression = dot === -1 ? '' : match.slice(0, dot);
  const start = match.slice(dot + 1);
  if (expression === '') {
    if (dot === -1) done({ groups: globalNames(server), typed: match });
    else done({ groups: [], typed: match });
    return;
  }
  const chaining = expression.endsWith('?') ? '?.' : '.';
  if (chaining === '?.') expression = expression.slice(0, -1);
  server.eval(`try { ${expression} } catch {}`, server.context, 'REPL', (error, value) => {
    let groups = [];
    try {
      groups = error ? [] : memberNames(value);
    } catch {
      groups = [];
    }
    done({ groups: groups.map((names) => names.map((name) => expression + chaining + name)),
      typed: match, filter: expression + chaining + start });
  });
}

// The groups, the last first, with an empty line between them.
function assemble(groups, filter) {
  const wanted = filter.toLowerCase();
  const seen = new Set(['']);
  let choices = [];
  for (const group of groups) {
    const fresh = group.filter((name) => name.toLowerCase().startsWith(wanted)).sort()
      .filter((name) => !seen.has(name) && seen.add(name));
    if (fresh.length > 0) choices = [...fresh, ...choices.length > 0 ? [''] : [], ...choices];
  }
  return choices;
}

function complete(server, line, done) {
  const give = ({ groups, typed, filter = typed ?? '' }) => {
    done(null, [assemble(groups, filter), typed]);
  };
  line = line.trimStart();
  let match;
  if ((match = /^\s*\.(\w*)$/.exec(line))) {
    give({ groups: [Object.keys(server.commands)], typed: match[1] });
  } else if ((match = REQUIRE.exec(line))) {
    give(completeSpecifier(server, match, false));
  } else if ((match = IMPORT.exec(line))) {
    give(completeSpecifier(server, match, true));
  } else if (server.allowBlockingCompletions && (match = FILE.exec(line))) {
    give(completeFile(match));
  } else if (line.length === 0 || /\w|\.|\$/.test(line.at(-1))) {
    completeExpression(server, line, give);
  } else {
    give({ groups: [], typed: undefined });
  }
}

module.exports = { complete };
