console.log('main');
import './modules/left.mjs';
import './modules/right.mjs';
import { add, count } from './modules/leaf.mjs';
console.log(count, add(), count);
