console.log('waits');
await new Promise((resolve) => setTimeout(resolve, 10));
console.log('waited');
export const value = await Promise.resolve('value');
