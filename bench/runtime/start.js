'use strict';
console.log('first line');
