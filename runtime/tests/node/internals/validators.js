'use strict';
// Node's name internal/validators.

const errors = require('internal/errors/validators');

module.exports = {
  ...errors, validateLinkHeaderValue: require('internal/http/response').linkValue,
  kValidateObjectAllowNullable: errors.NULLABLE,
  kValidateObjectAllowArray: errors.ARRAY, kValidateObjectAllowFunction: errors.FUNCTION,
};
