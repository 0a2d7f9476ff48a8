console.log('main');
import './parts/left.mjs';
import './parts/right.mjs';
import { add, count } from './parts/leaf.mjs';
console.log(count, add(), count);
