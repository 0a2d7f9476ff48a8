// A server of HTTP and two clients with five requests each, as hosts of one world.
const sim = require('phasor:sim');
sim.host('server', `${__dirname}/server.js`);
const names = ['one', 'two'];
for (const name of names) sim.host(name, `${__dirname}/client.js`, name).on('exit', ended);
let left = names.length;
function ended() {
  if (--left === 0) process.exit(0);
}
