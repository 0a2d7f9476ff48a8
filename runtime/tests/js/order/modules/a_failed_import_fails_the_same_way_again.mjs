const first = await import('./parts/fails.mjs').catch((error) => error);
const second = await import('./parts/fails.mjs').catch((error) => error);
console.log(first.message, first === second);
await import('./parts/imports_fails.mjs').catch((error) => console.log(error === first));
await import('./parts/broken.mjs').catch((error) => console.log(error.name));
await import('./parts/asks_too_much.mjs').catch((error) => console.log(error.name));
