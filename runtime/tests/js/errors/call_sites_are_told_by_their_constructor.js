'use strict';
Error.prepareStackTrace = (error, sites) => sites;
const [site] = new Error('x').stack;
Error.prepareStackTrace = undefined;

const { constructor } = site;
console.log(typeof constructor, constructor.name, Object.prototype.toString.call(site));
console.log(Object.getPrototypeOf(site) === constructor.prototype, site instanceof constructor);
try {
  new constructor();
} catch (error) {
  console.log(error.name, error.message);
}
console.log(Object.keys(site), site.getLineNumber());
