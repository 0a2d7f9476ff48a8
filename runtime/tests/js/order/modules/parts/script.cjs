'use strict';
console.log('script');
exports.named = 'named';
exports.load = () => import('./leaf.mjs');
