const first = await import('./modules/fails.mjs').catch((error) => error);
const second = await import('./modules/fails.mjs').catch((error) => error);
console.log(first.message, first === second);
await import('./modules/imports_fails.mjs').catch((error) => console.log(error === first));
await import('./modules/broken.mjs').catch((error) => console.log(error.name));
await import('./modules/asks_too_much.mjs').catch((error) => console.log(error.name));
