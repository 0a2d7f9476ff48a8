import './leaf.mjs';
import './left.mjs';
console.log('right');
