'use strict';
module.exports = { ClientRequest: require('http').ClientRequest };
