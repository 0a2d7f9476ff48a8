'use strict';
// Node's name internal/validators.

const validators = require('internal/errors/validators');

module.exports = {
  ...validators, validateLinkHeaderValue: require('internal/http/response').linkValue,
  kValidateObjectAllowNullable: validators.NULLABLE,
  kValidateObjectAllowArray: validators.ARRAY, kValidateObjectAllowFunction: validators.FUNCTION,
};
