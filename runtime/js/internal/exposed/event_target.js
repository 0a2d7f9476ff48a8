'use strict';
// Node's name internal/event_target.

const target = require('internal/event_target');
module.exports = { ...target, kWeakHandler: Symbol('kWeak') };
