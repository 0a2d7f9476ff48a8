import { F } from './outer.mjs';
export const use = () => F();
