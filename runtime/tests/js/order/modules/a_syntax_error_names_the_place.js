// compare: stdout
'use strict';
console.log('never: nothing runs');
const value = ;
