import { nothing } from './leaf.mjs';
console.log(nothing);
