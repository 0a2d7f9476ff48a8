import { name, value } from './modules/ring_first.mjs';
console.log('main', name(), value);
