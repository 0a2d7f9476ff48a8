'use strict';
// Node's name internal/options.

const options = require('internal/options');

module.exports = {
  getOptionValue(name) {
    const key = name.replace(/^--/, '');
    const values = options.all(key);
    return Array.isArray(values) ? values.at(-1) : values;
  },
};
