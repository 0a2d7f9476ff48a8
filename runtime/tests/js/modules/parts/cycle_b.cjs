const a = require('./cycle_a.cjs');
exports.sawEarly = { ...a };
