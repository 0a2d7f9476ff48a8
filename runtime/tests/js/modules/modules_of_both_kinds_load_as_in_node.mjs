// needs: linking
import def, { named, other as renamed } from './parts/library.cjs';
import * as all from './parts/library.cjs';
import esm, { counter, increment } from './parts/module.mjs';
import { createRequire, isBuiltin, builtinModules } from 'node:module';
import fs, { readFileSync } from 'node:fs';
import data from './parts/data.json' with { type: 'json' };
import inPackage, { sub } from 'in-package';
import feature from 'in-package/feature';
const require = createRequire(import.meta.url);
const show = (...values) => console.log(...values);
show(def, named, renamed, Object.keys(all), all.default === def);
show(esm, counter, increment(), counter, typeof require, fs.readFileSync === readFileSync, data);
show(
    import.meta.url.endsWith('.mjs'),
    import.meta.filename === new URL(import.meta.url).pathname,
    import.meta.dirname.endsWith('modules'),
    import.meta.resolve('./x.js').endsWith('/modules/x.js'),
    import.meta.resolve('fs'),
    import.meta.resolve('in-package').endsWith('main.mjs'),
);
show(
    inPackage,
    sub,
    feature,
    require('in-package'),
    require('in-package/feature'),
    require('in-package/package.json').name,
);
const again = await import('./parts/module.mjs');
show(
    again.counter,
    again.default === esm,
    Object.prototype.toString.call(again),
    Object.keys(again),
    (await import('./parts/library.cjs')).default === def,
);
show(
    (await import('data:text/javascript,export default 5')).default,
    (await import('node:path')).default.sep,
    require('./parts/data.json') === require('./parts/data.json'),
);
for (const name of [
    './parts/none.mjs',
    'no-such-package',
    'in-package/hidden',
    'node:none',
    './parts',
    'http://example.com/x.js',
]) {
    await import(name).catch(error => show(name, error.code));
    try {
        if (!name.startsWith('http')) require(name);
    } catch (error) {
        show('require', name, error.code);
    }
}
try {
    require('./parts/module.mjs');
} catch (error) {
    show(error.code);
}
try {
    again.counter = 5;
} catch (error) {
    show(error.name);
}
show(
    this,
    typeof module,
    typeof __filename,
    isBuiltin('fs'),
    isBuiltin('nope'),
    builtinModules.includes('http'),
    require.resolve('fs'),
    require.resolve('./parts/data.json').endsWith('data.json'),
);
show(
    await import('./parts/throws.mjs').catch(error => error.message),
    await import('./parts/throws.mjs').catch(error => error.message),
);
const cycle = require('./parts/cycle_a.cjs');
show(
    cycle,
    require.cache[require.resolve('./parts/cycle_a.cjs')].loaded,
    require.cache[require.resolve('./parts/cycle_a.cjs')].children.length,
);
delete require.cache[require.resolve('./parts/cycle_a.cjs')];
show(require('./parts/cycle_a.cjs') === cycle);
show(await (async () => (await import('./parts/waits.mjs')).value)());
