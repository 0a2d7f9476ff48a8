'use strict';
// cp: files, links and whole folders. One walk serves both forms: it stops at every question to the
// program's filter, whose answer may be a promise in the form with a callback.

const path = require('path');
const native = binding('fs');
const { toPath, toTextPath, joinPath, entriesOf } = require('internal/fs/util');
const { received, withCode } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } =
  require('internal/errors/validators');

const TEXTS = {
  ERR_FS_CP_EINVAL: 'Invalid src or dest',
  ERR_FS_EISDIR: 'Path is a directory',
  ERR_FS_CP_DIR_TO_NON_DIR: 'Cannot overwrite non-directory with directory',
  ERR_FS_CP_NON_DIR_TO_DIR: 'Cannot overwrite directory with non-directory',
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: 'Cannot overwrite symlink in subdirectory of self',
  ERR_FS_CP_SOCKET: 'Cannot copy a socket file',
  ERR_FS_CP_FIFO_PIPE: 'Cannot copy a FIFO pipe',
  ERR_FS_CP_UNKNOWN: 'Cannot copy an unknown file type',
  ERR_FS_CP_EEXIST: 'Target already exists',
};
const NUMBERS = { EINVAL: 22, EISDIR: 21, ENOTDIR: 20, EEXIST: 17 };

function failure(code, cause, target, message) {
  // Node has this number for both.
  const errno = code === 'ERR_FS_EISDIR' ? NUMBERS.EINVAL : NUMBERS[cause];
  const { SystemError } = require('internal/errors/system_error');
  return new SystemError({ message, path: target, syscall: 'cp', errno, code: cause }, code,
    TEXTS[code]);
}

const SWITCHES = ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive',
  'verbatimSymlinks'];

function checkOptions(options) {
  validateObject(options, 'options');
  for (const name of SWITCHES) {
    if (name in options) validateBoolean(options[name], `options.${name}`);
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  if (options.mode !== undefined) validateInteger(options.mode, 'mode', 0, 7);
  if (options.dereference && options.verbatimSymlinks) {
    throw withCode(TypeError, 'ERR_INCOMPATIBLE_OPTION_PAIR',
      'Option "dereference" cannot be used in combination with option "verbatimSymlinks"');
  }
}

const isSame = (one, other) => other && one.ino && one.dev && one.ino === other.ino &&
  one.dev === other.dev;

function isInside(folder, target) {
  if (typeof folder !== 'string' || typeof target !== 'string') return false;
  const parts = path.resolve(folder).split(path.sep).filter(Boolean);
  const others = path.resolve(target).split(path.sep).filter(Boolean);
  return parts.every((part, i) => others[i] === part);
}

function statOf(name, isFollowed, isOptional) {
  const fs = require('fs');
  const options = { bigint: true, throwIfNoEntry: !isOptional };
  return isFollowed ? fs.statSync(name, options) : fs.lstatSync(name, options);
}

function checkPlaces(from, to, stat, there) {
  if (there) {
    if (isSame(stat, there)) {
      throw failure('ERR_FS_CP_EINVAL', 'EINVAL', to, 'src and dest cannot be the same');
    }
    if (stat.isDirectory() && !there.isDirectory()) {
      throw failure('ERR_FS_CP_DIR_TO_NON_DIR', 'EISDIR', to,
        `cannot overwrite non-directory ${to} with directory ${from}`);
    }
    if (!stat.isDirectory() && there.isDirectory()) {
      throw failure('ERR_FS_CP_NON_DIR_TO_DIR', 'ENOTDIR', to,
        `cannot overwrite directory ${to} with non-directory ${from}`);
    }
  }
  if (stat.isDirectory() && isInside(from, to)) {
    throw failure('ERR_FS_CP_EINVAL', 'EINVAL', to,
      `cannot copy ${from} to a subdirectory of self ${to}`);
  }
}

function checkKind(from, to, stat, { recursive }) {
  if (stat.isDirectory()) {
    if (recursive) return;
    throw failure('ERR_FS_EISDIR', 'EISDIR', from, `${from} is a directory (not copied)`);
  }
  if (stat.isFile() || stat.isSymbolicLink() || stat.isCharacterDevice() ||
      stat.isBlockDevice()) return;
  const [code, kind] = stat.isSocket() ? ['ERR_FS_CP_SOCKET', 'a socket file']
    : stat.isFIFO() ? ['ERR_FS_CP_FIFO_PIPE', 'a FIFO pipe']
      : ['ERR_FS_CP_UNKNOWN', 'an unknown file type'];
  throw failure(code, 'EINVAL', to, `cannot copy ${kind}: ${to}`);
}

// No folder above the target may be the source.
function checkParents(from, stat, to) {
  if (typeof from !== 'string' || typeof to !== 'string') return;
  const own = path.resolve(path.dirname(from));
  for (let above = path.resolve(path.dirname(to)); above !== own && above !== path.dirname(above);
    above = path.dirname(above)) {
    const found = statOf(above, true, true);
    if (found && isSame(stat, found)) {
      throw failure('ERR_FS_CP_EINVAL', 'EINVAL', to,
        `cannot copy ${from} to a subdirectory of self ${to}`);
    }
  }
}

// Where a copied link leads: to the same file, unless its text is to stay.
function linkOf(from, { verbatimSymlinks }) {
  if (typeof from !== 'string') return native.readlink(from, undefined, true);
  const text = native.readlink(from, undefined);
  return verbatimSymlinks || path.isAbsolute(text) ? text : path.resolve(path.dirname(from), text);
}

function copyLink(from, to, there, options) {
  const text = linkOf(from, options);
  // A file in its place stays, and the system says so.
  if (there && there.isSymbolicLink()) {
    const other = linkOf(to, {});
    if (!options.dereference && isInside(text, other)) {
      throw failure('ERR_FS_CP_EINVAL', 'EINVAL', to,
        `cannot copy ${text} to a subdirectory of self ${other}`);
    }
    if (statOf(from, true, true)?.isDirectory() && isInside(other, text)) {
      throw failure('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'EINVAL', to,
        `cannot overwrite ${other} with ${text}`);
    }
    native.unlink(to, undefined);
  }
  native.symlink(text, to, 0, undefined);
}

function copyFile(from, to, there, stat, options) {
  if (there) {
    if (options.force === false) {
      if (!options.errorOnExist) return;
      throw failure('ERR_FS_CP_EEXIST', 'EEXIST', to, `${to} already exists`);
    }
    native.unlink(to, undefined);
  }
  native.copyFile(from, to, options.mode || 0, undefined);
  if (options.preserveTimestamps) {
    const { atime, mtime } = require('fs').statSync(from);
    require('fs').utimesSync(to, atime, mtime);
  }
  native.chmod(to, Number(stat.mode) & 0o7777, undefined);
}

// Yields what the filter answers, and goes on with what it is given for that.
function* copy(from, to, options, isInner) {
  if (options.filter && !(yield options.filter(from, to))) return;
  const stat = statOf(from, options.dereference, false);
  const there = statOf(to, options.dereference, true);
  checkPlaces(from, to, stat, there);
  if (!isInner) {
    checkParents(from, stat, to);
    if (typeof to === 'string') {
      require('fs').mkdirSync(path.dirname(to), { recursive: true });
    }
  }
  checkKind(from, to, stat, options);
  if (stat.isDirectory()) {
    if (!there) require('fs').mkdirSync(to);
    for (const name of entriesOf(from)[0]) {
      yield* copy(joinPath(from, name), joinPath(to, name), options, true);
    }
    if (!there) native.chmod(to, Number(stat.mode) & 0o7777, undefined);
  } else if (stat.isSymbolicLink()) {
    copyLink(from, to, there, options);
  } else {
    copyFile(from, to, there, stat, options);
  }
}

function cpSync(from, to, options = {}) {
  checkOptions(options);
  const walk = copy(toTextPath(from, 'src'), toTextPath(to, 'dest'), options, false);
  for (let step = walk.next(); !step.done; step = walk.next(step.value)) {
    if (typeof step.value?.then === 'function') {
      const got = received(step.value).slice(' Received '.length);
      throw withCode(TypeError, 'ERR_INVALID_RETURN_VALUE',
        `Expected boolean to be returned from the "filter" function but got ${got}.`);
    }
  }
}

async function run(walk) {
  for (let step = walk.next(); !step.done;) step = walk.next(await step.value);
}

function cp(from, to, options, callback) {
  if (typeof options === 'function' && callback === undefined) {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'cb');
  options ??= {};
  checkOptions(options);
  const walk = copy(toTextPath(from, 'src'), toTextPath(to, 'dest'), options, false);
  native.lstat(toPath(from), () => {
    run(walk).then(() => process.nextTick(callback, null),
      (error) => process.nextTick(callback, error));
  });
}

module.exports = { cp, cpSync };
