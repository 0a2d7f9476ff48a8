'use strict';
// Node's name internal/fs/utils.

const { checkRemoval, isDirectory } = require('internal/fs/trees');
const util = require('internal/fs/util');
const { invalidArgType, invalidArgValue, outOfRange } = require('internal/errors/errors');
const { validateInt32 } = require('internal/errors/validators');

function assertEncoding(encoding) {
  if (encoding && !Buffer.isEncoding(encoding)) {
    throw invalidArgValue('encoding', encoding, 'is invalid encoding');
  }
}

function validateRmdirOptions(options = {}) {
  const { retryDelay, maxRetries, recursive } = checkRemoval(options);
  return { retryDelay, maxRetries, recursive };
}

function validateRmOptionsSync(path, options = {}) {
  const checked = checkRemoval(options);
  const stats = require('fs').lstatSync(path, { throwIfNoEntry: !checked.force });
  if (stats?.isDirectory() && !checked.recursive) throw isDirectory('rm', path);
  return checked;
}

// (buffer's length in bytes)
function validateOffsetLengthRead(offset, length, size) {
  if (offset < 0) throw outOfRange('offset', '>= 0', offset);
  if (length < 0) throw outOfRange('length', '>= 0', length);
  if (offset + length > size) throw outOfRange('length', `<= ${size - offset}`, length);
}

function validateOffsetLengthWrite(offset, length, size) {
  if (offset > size) throw outOfRange('offset', `<= ${size}`, offset);
  if (length > size - offset) throw outOfRange('length', `<= ${size - offset}`, length);
  if (length < 0) throw outOfRange('length', '>= 0', length);
  validateInt32(length, 'length', 0);
}

// With a callback later, without one at once.
function getDirents(path, found, callback) {
  const how = { withFileTypes: true, encoding: Buffer.isBuffer(found[0][0]) ? 'buffer' : 'utf8' };
  if (typeof path !== 'string' && !Buffer.isBuffer(path)) {
    const error = invalidArgType('path', ['string', 'Buffer'], path);
    if (callback === undefined) throw error;
    callback(error);
    return undefined;
  }
  if (callback === undefined) return util.fromDirectory(found, path, how);
  return util.fromDirectoryLater(found, path, how, callback);
}

function getDirent(path, name, type, callback) {
  if (callback === undefined) return getDirents(path, [[name], [type]])[0];
  return getDirents(path, [[name], [type]], (error, list) => {
    if (error) {
      callback(error);
      return;
    }
    list[0].name = name;
    callback(null, list[0]);
  });
}

// Times come in whole milliseconds, then in nanoseconds.
function BigIntStats(...values) {
  const nanoseconds = values.slice(14).map((one) => Number(one % 1000000000n));
  return new util.BigIntStats([...values.slice(0, 10).map(Number),
    ...values.slice(14).map((one) => Number(one) / 1e6), ...nanoseconds]);
}
BigIntStats.prototype = util.BigIntStats.prototype;

module.exports = {
  ...util, validateRmdirOptions, validateRmOptionsSync, validateOffsetLengthRead,
  validateOffsetLengthWrite, getDirents, getDirent, BigIntStats,
  assertEncoding, preprocessSymlinkDestination: (path) => path,
  stringToFlags: util.toFlags,
};
