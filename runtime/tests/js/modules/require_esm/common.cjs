exports.named = 1;
exports.late = require('./named.mjs').a;
