'use strict';
async function fail(text) {
  await null;
  throw new Error(text);
}
async function main() {
  try {
    try {
      await fail('first');
    } finally {
      console.log('finally before');
      await null;
      console.log('finally after');
    }
  } catch (error) {
    console.log('caught', error.message);
  }
  try {
    return 'result';
  } finally {
    await null;
    console.log('finally of a return');
  }
}
main().then(console.log).finally(() => console.log('end'));
fail('second').catch((error) => console.log('second', error.message));
