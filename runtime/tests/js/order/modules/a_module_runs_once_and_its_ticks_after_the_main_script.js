'use strict';
process.nextTick(() => console.log('tick of main'));
require('./parts/speaks.js');
require('./parts/speaks');
setImmediate(() => {
  delete require.cache[require.resolve('./parts/speaks.js')];
  require('./parts/speaks.js');
  console.log('immediate');
});
console.log('main', require.main === module);
