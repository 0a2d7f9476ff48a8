'use strict';
// node:sqlite, as newer Nodes have it.

const native = binding('sqlite');
const checks = require('internal/sqlite/checks');
const { DatabaseSync, Session, boxOf } = require('internal/sqlite/database');
const { StatementSync } = require('internal/sqlite/statement');

process.emitWarning('SQLite is an experimental feature and might change at any time',
  'ExperimentalWarning');

const constants = {
  SQLITE_CHANGESET_OMIT: 0, SQLITE_CHANGESET_REPLACE: 1, SQLITE_CHANGESET_ABORT: 2,
  SQLITE_CHANGESET_DATA: 1, SQLITE_CHANGESET_NOTFOUND: 2, SQLITE_CHANGESET_CONFLICT: 3,
  SQLITE_CHANGESET_CONSTRAINT: 4, SQLITE_CHANGESET_FOREIGN_KEY: 5,
};

function readBackup(options) {
  if (options !== undefined) checks.object(options, 'options');
  const { rate = 100, source = 'main', target = 'main', progress } = options ?? {};
  checks.integer(rate, 'options.rate');
  checks.string(source, 'options.source');
  checks.string(target, 'options.target');
  if (progress !== undefined) checks.callable(progress, 'options.progress');
  return { rate, source, target, progress };
}

// Some pages in a turn of the loop, so that others have theirs.
function copy(work, { rate, progress }, resolve, reject) {
  try {
    const [isDone, remainingPages, totalPages] = native.backupStep(work, rate);
    if (isDone) {
      native.backupEnd(work);
      resolve(totalPages);
      return;
    }
    progress?.({ totalPages, remainingPages });
    setImmediate(copy, work, { rate, progress }, resolve, reject);
  } catch (error) {
    native.backupEnd(work);
    reject(error);
  }
}

function backup(sourceDb, path, options = undefined) {
  const box = boxOf(sourceDb);
  const place = checks.path(path);
  const read = readBackup(options);
  return new Promise((resolve, reject) => {
    const work = native.backup(box, place, read.source, read.target);
    setImmediate(copy, work, read, resolve, reject);
  });
}

module.exports = { DatabaseSync, StatementSync, Session, constants };
Object.defineProperty(module.exports, 'backup',
  { value: Object.defineProperty(backup, 'length', { value: 2 }), enumerable: true,
    writable: true, configurable: true });
