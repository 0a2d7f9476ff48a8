'use strict';
// setTimeout of sessions and streams: 'timeout' after a silence, told by _onTimeout.
const { _kTimeout: kTimeout } = require('net');
const { validateNumber, validateFunction } = require('internal/errors/validators');

function setSilence(owner, field, ms, callback) {
  validateNumber(ms, 'msecs');
  if (callback !== undefined) validateFunction(callback, 'callback');
  clearTimeout(owner[kTimeout]);
  owner[kTimeout] = null;
  owner[field] = ms;
  if (callback !== undefined) {
    if (ms === 0) owner.removeListener('timeout', callback);
    else owner.once('timeout', callback);
  }
  if (ms > 0) owner[kTimeout] = setTimeout(() => owner._onTimeout(), ms).unref();
  return owner;
}

module.exports = { setSilence, kTimeout };
