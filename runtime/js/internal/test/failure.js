'use strict';
// What makes a test fail.

const { withCode } = require('internal/errors/errors');
const { inspect } = require('internal/inspect/inspect');

const KINDS = {
  cancelled: 'cancelledByParent', aborted: 'testAborted', code: 'testCodeFailure',
  timeout: 'testTimeoutFailure', mismatch: 'callbackAndPromisePresent', hook: 'hookFailed',
  subtests: 'subtestsFailed', twice: 'multipleCallbackInvocations',
  late: 'parentAlreadyFinished', uncaught: 'uncaughtException', rejection: 'unhandledRejection',
};

// The error of a failed test; its cause is what the test has thrown.
function failure(cause, failureType) {
  const text = cause?.message ?? cause;
  const error = withCode(Error, 'ERR_TEST_FAILURE', typeof text === 'string' ? text
    : inspect(text), failure);
  error.stack = `Error [ERR_TEST_FAILURE]: ${error.message}`;
  error.failureType = failureType;
  error.cause = cause;
  return error;
}

function isFailure(error) {
  return error?.code === 'ERR_TEST_FAILURE';
}

module.exports = { failure, isFailure, KINDS };
