'use strict';
const { invalidArgValue, withCode } = require('internal/errors/errors');

let defaultBytes = 16 * 1024;
let defaultObjects = 16;

function getHighWaterMark(state, options, key, isDuplex) {
  let value = options.highWaterMark;
  if (value === undefined || value === null) value = isDuplex ? options[key] : null;
  if (value === undefined || value === null)
    return state.objectMode ? defaultObjects : defaultBytes;
  if (!Number.isInteger(value) || value < 0) {
    throw invalidArgValue(isDuplex ? `options.${key}` : 'options.highWaterMark', value);
  }
  return Math.floor(value);
}

const error = (code, message, Base = Error) => withCode(Base, code, message, error);

module.exports = {
  getHighWaterMark,
  error,
  destroyed: (name) =>
    error('ERR_STREAM_DESTROYED', `Cannot call ${name} after a stream was destroyed`),
  getDefault: (objectMode) => (objectMode ? defaultObjects : defaultBytes),
  setDefault(objectMode, value) {
    if (objectMode) defaultObjects = value;
    else defaultBytes = value;
    binding('streams').setDefaults(defaultBytes, defaultObjects);
  },
};
