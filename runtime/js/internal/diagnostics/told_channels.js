'use strict';
// The channels of diagnostics_channel that somebody listens to, by name: those who have something
// to tell look here, and load nothing.

module.exports = { __proto__: null };
