import { F, seen } from './parts/circle/entry.mjs';
import { use } from './parts/circle/user.mjs';

console.log(F(), seen, use());
