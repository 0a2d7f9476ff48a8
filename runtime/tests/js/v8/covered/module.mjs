export function value(x) {
  for (const a of []) {
    console.log(a);
  }
  try { return x ?? 4; } finally { x = 1; }
}
export default class { get a() { return 1; } }
