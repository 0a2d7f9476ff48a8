'use strict';
// Node's name internal/validators.

const errors = require('internal/validators');

module.exports = {
  ...errors, kValidateObjectAllowNullable: errors.NULLABLE,
  kValidateObjectAllowArray: errors.ARRAY, kValidateObjectAllowFunction: errors.FUNCTION,
};
