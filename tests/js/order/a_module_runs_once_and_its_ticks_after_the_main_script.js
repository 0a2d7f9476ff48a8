'use strict';
process.nextTick(() => console.log('tick of main'));
require('./modules/speaks.js');
require('./modules/speaks');
setImmediate(() => {
    delete require.cache[require.resolve('./modules/speaks.js')];
    require('./modules/speaks.js');
    console.log('immediate');
});
console.log('main', require.main === module);
