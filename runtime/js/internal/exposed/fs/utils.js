'use strict';
// Node's name internal/fs/utils.

const { checkRemoval } = require('internal/fs_trees');
const util = require('internal/fs_util');
module.exports = {
  ...util, stringToFlags: util.toFlags, validateRmdirOptions: checkRemoval,
};
