export function F() { return 'of the source'; }
