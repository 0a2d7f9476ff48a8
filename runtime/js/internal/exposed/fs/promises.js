'use strict';
// Node's name internal/fs/promises. From its first use on, files are read through handles too.

const promises = require('fs/promises');

promises._ways.areHandlesSeen = true;

module.exports = { exports: promises, FileHandle: promises.FileHandle };
