import './outer.mjs';
export {};
