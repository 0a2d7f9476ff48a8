exports.early = true;
exports.fromB = require('./cycle_b.cjs').sawEarly;
exports.late = true;
