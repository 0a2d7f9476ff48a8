// What was given on the command line is known whatever a program does to the language's classes.
const dns = require('dns');
const { get } = Map.prototype;
Map.prototype.get = () => { throw new Error('the program\'s own get'); };
try {
  console.log(dns.getDefaultResultOrder());
} finally {
  Map.prototype.get = get;
}
