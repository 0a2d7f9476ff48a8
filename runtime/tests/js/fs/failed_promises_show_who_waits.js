'use strict';
// Errors of the system have the stack of the async functions that wait for them.

const fs = require('fs/promises');

const HERE = new RegExp(`${__dirname}/`, 'g');
const shown = (error) => error.stack.split('\n').filter((line) => !/node:/.test(line)).join('\n')
  .replace(HERE, '');

async function reads() { await fs.readFile('/nowhere/at/all'); }
async function opens() { await fs.open('/nowhere/at/all'); }
async function stats() { await fs.stat('/nowhere/at/all'); }
async function closed() {
  const handle = await fs.open(__filename);
  try {
    await handle.read(0, 0, 0, 0);
  } catch (error) {
    console.log(error.code, error.message);
  } finally {
    await handle.close();
  }
}

(async function main() {
  for (const fails of [reads, opens, stats]) {
    try {
      await fails();
    } catch (error) {
      console.log(shown(error));
    }
  }
  await closed();
})();
