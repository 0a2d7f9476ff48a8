import assert from 'assert';
import actors from 'phasor:actors';

// Without close: workers without actors keep nothing alive.
const system = actors.open({ workers: 2 });
assert.strictEqual(system.workers, 2);
const file = new URL('modules/example.js', import.meta.url);
const actor = system.start(file, { data: { channel: 'nobody listens' } });
await actor.begun;
assert.strictEqual(await actor.stop(), undefined);
