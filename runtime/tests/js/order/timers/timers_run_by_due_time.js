'use strict';
setTimeout(() => console.log('600'), 600);
setTimeout(() => console.log('300'), 300);
setTimeout(() => console.log('1'), 1);
