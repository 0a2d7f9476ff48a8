import common, { named, late } from './common.cjs';
import { readFileSync } from 'node:fs';
import data from './default.mjs';
export { common, named, late };
export const kinds = [typeof readFileSync, typeof data];
