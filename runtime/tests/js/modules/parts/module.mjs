export let counter = 0;
export function increment() { return ++counter; }
export default { kind: 'module' };
