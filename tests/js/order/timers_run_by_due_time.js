'use strict';
setTimeout(() => console.log('120'), 120);
setTimeout(() => console.log('40'), 40);
setTimeout(() => console.log('80'), 80);
setTimeout(() => console.log('1'), 1);
