import './leaf.mjs';
console.log('left');
