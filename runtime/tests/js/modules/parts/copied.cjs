'use strict';
exports.first = 1;
exports.second = 2;
