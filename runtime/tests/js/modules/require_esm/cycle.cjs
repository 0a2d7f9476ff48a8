module.exports = require('./cycle.mjs');
