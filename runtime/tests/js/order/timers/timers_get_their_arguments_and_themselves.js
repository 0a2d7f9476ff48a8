'use strict';
const timer = setTimeout(function (...all) {
  console.log(this === timer, all.join());
}, 1, 'a', 'b', 'c', 'd');
const interval = setInterval(function (...all) {
  console.log(this === interval, all.join());
  clearInterval(this);
}, 1, 'x');
try {
  setTimeout('text', 1);
} catch (error) {
  console.log(error.name, error.code);
}
