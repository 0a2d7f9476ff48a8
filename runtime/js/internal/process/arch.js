'use strict';
module.exports = binding('os').arch;
