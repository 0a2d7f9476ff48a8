import './first.mjs';
export { F } from './outer.mjs';
import { F } from './outer.mjs';
export const seen = typeof F;
