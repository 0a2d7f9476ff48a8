'use strict';
// DatabaseSync and Session.

const native = binding('sqlite');
const checks = require('internal/sqlite/checks');
const { makeStatement } = require('internal/sqlite/statement');
const { withCode } = require('internal/errors/errors');

const { callable, illegal, object, option, state, string } = checks;
const DETERMINISTIC = 0x800;
const DIRECT_ONLY = 0x80000;
const kMake = Symbol('kMake');

function readOptions(given) {
  if (given !== undefined) object(given, 'options');
  const options = given ?? {};
  const read = {
    open: option(options, 'open', true),
    readOnly: option(options, 'readOnly', false),
    enableForeignKeyConstraints: option(options, 'enableForeignKeyConstraints', true),
    enableDoubleQuotedStringLiterals: option(options, 'enableDoubleQuotedStringLiterals', false),
    allowExtension: option(options, 'allowExtension', false),
    timeout: options.timeout === undefined ? 0
      : checks.integer(options.timeout, 'options.timeout'),
  };
  for (const name of ['readBigInts', 'returnArrays', 'allowUnknownNamedParameters'])
    read[name] = option(options, name, false);
  read.allowBareNamedParameters = option(options, 'allowBareNamedParameters', true);
  return read;
}

function flagsOf(options) {
  return (option(options, 'deterministic', false) ? DETERMINISTIC : 0) |
    (option(options, 'directOnly', false) ? DIRECT_ONLY : 0);
}

class Session {
  #box;

  #database;

  constructor(key, database, box) {
    if (key !== kMake) throw illegal();
    this.#database = database;
    this.#box = box;
  }

  #open() {
    if (!this.#database.isOpen) throw state('database is not open');
    return this.#box;
  }

  changeset() { return native.changes(this.#open(), false); }

  patchset() { return native.changes(this.#open(), true); }

  close() { native.closeSession(this.#open()); }
}

class DatabaseSync {
  #path;

  #options;

  #box;

  // What SQLite calls by its place here; of this world, so that the collector sees it.
  #functions = [];

  constructor(path, options = undefined) {
    this.#path = checks.path(path);
    this.#options = readOptions(options);
    if (this.#options.open) this.open();
  }

  static boxOf(database) {
    if (!checks.isObject(database) || !(#box in database))
      throw checks.wrongType('sourceDb', 'an object');
    return database.#opened();
  }

  #opened() {
    if (this.#box === undefined) throw state('database is not open');
    return this.#box;
  }

  open() {
    if (this.#box !== undefined) throw state('database is already open');
    const { readOnly, enableForeignKeyConstraints, enableDoubleQuotedStringLiterals,
      allowExtension, timeout } = this.#options;
    this.#box = native.open(this.#path, readOnly, enableForeignKeyConstraints,
      enableDoubleQuotedStringLiterals, allowExtension, timeout);
  }

  close() {
    native.close(this.#opened());
    this.#box = undefined;
    this.#functions = [];
  }

  get isOpen() { return this.#box !== undefined; }

  get isTransaction() { return native.inTransaction(this.#opened()); }

  exec(sql) {
    const box = this.#opened();
    native.exec(box, this.#functions, string(sql, 'sql'));
  }

  prepare(sql, options = undefined) {
    const box = this.#opened();
    string(sql, 'sql');
    const read = { ...this.#options };
    if (options !== undefined) {
      object(options, 'options');
      for (const name of ['readBigInts', 'returnArrays', 'allowBareNamedParameters',
        'allowUnknownNamedParameters']) read[name] = option(options, name, read[name]);
    }
    const made = native.prepare(box, this.#functions, sql);
    if (made === null) {
      throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE', 'The SQL query contains no statements.');
    }
    return makeStatement(this, this.#functions, made, read);
  }

  location(name = 'main') {
    const box = this.#opened();
    return native.location(box, string(name, 'dbName'));
  }

  function(name, options, work) {
    const box = this.#opened();
    string(name, 'name');
    if (arguments.length < 3) [options, work] = [{}, options];
    callable(work, 'function');
    object(options, 'options');
    const bigints = option(options, 'useBigIntArguments', false);
    const varargs = option(options, 'varargs', false);
    const flags = flagsOf(options);
    const count = varargs ? -1 : work.length;
    const place = this.#functions.push(work) - 1;
    native.define(box, name, count, flags, place, bigints, 0);
  }

  aggregate(name, options) {
    const box = this.#opened();
    string(name, 'name');
    object(options, 'options');
    const { start, step, inverse, result } = options;
    if (start === undefined || checks.isObject(start))
      throw checks.wrongType('options.start', 'a function or a primitive value');
    callable(step, 'options.step');
    if (inverse !== undefined) callable(inverse, 'options.inverse');
    if (result !== undefined) callable(result, 'options.result');
    const bigints = option(options, 'useBigIntArguments', false);
    const varargs = option(options, 'varargs', false);
    const flags = flagsOf(options);
    // The first argument is the value so far.
    const count = varargs ? -1 : Math.max(step.length, inverse?.length ?? 0, 1) - 1;
    const entry = Object.assign(Object.create(null), { start, step, inverse, result });
    const place = this.#functions.push(entry) - 1;
    native.define(box, name, count, flags, place, bigints, inverse === undefined ? 1 : 2);
  }

  createSession(options = undefined) {
    const box = this.#opened();
    if (options !== undefined) object(options, 'options');
    const { table, db = 'main' } = options ?? {};
    if (table !== undefined) string(table, 'options.table');
    string(db, 'options.db');
    return new Session(kMake, this, native.createSession(box, db, table));
  }

  applyChangeset(changeset, options = undefined) {
    const box = this.#opened();
    if (!(changeset instanceof Uint8Array)) throw checks.wrongType('changeset', 'a Uint8Array');
    if (options !== undefined) object(options, 'options');
    const { filter, onConflict } = options ?? {};
    if (onConflict !== undefined) callable(onConflict, 'options.onConflict');
    if (filter !== undefined) callable(filter, 'options.filter');
    return native.applyChangeset(box, this.#functions, changeset, filter, onConflict);
  }

  enableLoadExtension(allow) {
    const box = this.#opened();
    checks.boolean(allow, 'allow');
    if (allow && !this.#options.allowExtension) {
      throw state('Cannot enable extension loading because it was disabled at database creation.');
    }
    native.allowExtensions(box, allow);
    this.#extensionsAreOff = !allow;
  }

  #extensionsAreOff = false;

  loadExtension(path) {
    const box = this.#opened();
    if (!this.#options.allowExtension || this.#extensionsAreOff)
      throw state('extension loading is not allowed');
    native.loadExtension(box, this.#functions, string(path, 'path'));
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() {
    if (this.isOpen) this.close();
  }
}

const { boxOf } = DatabaseSync;
delete DatabaseSync.boxOf;

module.exports = { DatabaseSync, Session, boxOf };
