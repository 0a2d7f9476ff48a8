import './awaits.mjs';
export const u = 1;
