import { F } from './inner.mjs';
export { F };
