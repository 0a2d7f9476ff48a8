import './user.mjs';
import { F } from './source.mjs';
export { F };
