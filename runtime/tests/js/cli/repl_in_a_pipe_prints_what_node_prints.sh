# The prompt without a terminal: evaluation, several lines, errors, commands.
program=$1
sed '/^#/d' >input <<'END'
1 + 1
_ + 1
let a = {
  b: 1
}
a
undefined
_
function f(x) {
  return x * 2
}
f(4)
throw new Error('bad')
throw 5
throw { an: 'object' }
nope
let y = ;
var q = `a
b`
q
'abc'.
toUpperCase()
{ a: 1, b: 2 }
{}
{ let z = 1; z }
[1,2,3].map((x) => {
  return x })
.help
.foo
.break
if (true) {
  1
}
const v = 2
const v = 3
v
class A { constructor() { this.x = 1 } }
new A
fs.existsSync('/')
require('path').sep
module.exports
typeof __filename
/* a comment
 goes on */ 5
// just a comment
"use strict"; 1
)
x = 1; y = 2
let e1 = new Error('p'); e1.code = 'X'; throw e1
console.log('said')
.1 + .2
"one\
two"
new Map([[1, { a: 'b' }]])
Symbol('s')
f
_ = 7
1
_
.exit
END
"$program" -i <input | sed 1d
echo "status $?"
printf '1 + 1\n' | "$program" -i | sed 1d
printf 'await new Promise((f) => setTimeout(f, 10, "late"))\n' | "$program" -i |
    sed -e 1d -e 's/> $//' -e '/^$/d'
printf 'process.exitCode = 3\n.exit\n' | "$program" -i >/dev/null
echo "status $?"
printf 'process.exit(4)\n' | "$program" -i >/dev/null
echo "status $?"
printf 'module.id\nx\n' | "$program" -i -e 'let x = module.id' | sed 1d
