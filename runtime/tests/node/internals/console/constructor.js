'use strict';
// Node's name internal/console/constructor.

const { Console, formatTime } = require('internal/console/console');

module.exports = { Console, formatTime };
