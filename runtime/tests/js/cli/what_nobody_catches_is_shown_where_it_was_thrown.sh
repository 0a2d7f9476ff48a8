program=$1
# The frames inside the runtime are its own.
show() {
    "$program" "$@" 2>&1 | grep -v '^    at .*node:\|^Node.js v\|^    at .*importFirst'
}
try() { # try TEXT [OPTION...]
    printf "$1" >thrown.js
    shift
    show "$@" thrown.js | sed "s#$PWD/##"
}
try 'throw null;'
try 'throw { a: 1 };'
try '// a line\nif (1)\n\tthrow "a text";'
try 'function f() {\n  throw [1, 2];\n}\nf();'
try 'const error = new Error("made above");\nerror.stack = "as written";\n\nthrow error;'
try 'try { throw 1 } finally {\n  2;\n}'
try 'try {\n  throw { a: 1 };\n} catch (error) {\n  throw error;\n}'
try 'try { throw 1; } catch { }\nsetTimeout(() => { throw 2; });'
try 'throw { get stack() { throw 1; } };'
try 'throw function named() {};'
try 'throw { a: 1 };' --no-extra-info-on-fatal-exception
try 'throw undefined;' --trace-uncaught | grep -v '^    at Object'
show -e 'throw { a: 1 }'
show -e 'throw 1'
