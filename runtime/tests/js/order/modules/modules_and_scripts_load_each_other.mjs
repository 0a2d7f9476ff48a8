import { createRequire } from 'module';
import script, { named } from './parts/script.cjs';

const require = createRequire(import.meta.url);
console.log(script.named, named, require('./parts/script.cjs') === script);
const found = await script.load();
console.log(found.default, typeof this);
