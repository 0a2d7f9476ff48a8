'use strict';
// Node's name internal/fs/promises.

const promises = require('fs/promises');

module.exports = { exports: promises, FileHandle: promises.FileHandle };
