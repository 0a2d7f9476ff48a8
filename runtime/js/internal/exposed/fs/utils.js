'use strict';
// Node's name internal/fs/utils.

const { checkRemoval } = require('internal/fs_trees');
const util = require('internal/fs_util');
const { invalidArgValue } = require('internal/errors');

function assertEncoding(encoding) {
  if (encoding && !Buffer.isEncoding(encoding)) {
    throw invalidArgValue('encoding', encoding, 'is invalid encoding');
  }
}

module.exports = {
  ...util, assertEncoding, preprocessSymlinkDestination: (path) => path,
  stringToFlags: util.toFlags, validateRmdirOptions: checkRemoval,
};
