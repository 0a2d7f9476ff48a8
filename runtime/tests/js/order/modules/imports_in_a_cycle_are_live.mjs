import { name, value } from './parts/circle_first.mjs';
console.log('main', name(), value);
