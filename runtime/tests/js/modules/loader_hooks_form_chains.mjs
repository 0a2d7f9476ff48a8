// module.register: hooks of resolve and load, newest first.
import { register } from 'node:module';

const asUrl = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
register(asUrl(`
  export async function resolve(specifier, context, next) {
    if (specifier === 'virtual:a') return { url: 'virtual:a', shortCircuit: true };
    if (specifier === 'bad:return') return 1;
    if (specifier === 'bad:url') return { url: 'x', shortCircuit: true };
    if (specifier === 'bad:chain') return { url: 'node:fs' };
    return next(specifier, context);
  }
  export async function load(url, context, next) {
    if (url === 'virtual:a') {
      return { format: 'module', source: 'export default "a"', shortCircuit: true };
    }
    return next(url, context);
  }`));
register(asUrl(`
  let name;
  export async function initialize(data) { name = data.name; }
  export async function load(url, context, next) {
    const result = await next(url, context);
    if (url !== 'virtual:a') return result;
    return { ...result, source: result.source + ' + ' + JSON.stringify(name) };
  }`), { data: { name: 'b' } });

console.log((await import('virtual:a')).default);
for (const name of ['bad:return', 'bad:url', 'bad:chain', 'none-such']) {
  await import(name).then(() => console.log('ok'), (error) => console.log(error.name, error.code));
}
console.log(import.meta.resolve('virtual:a'), typeof (await import('node:os')).cpus);
