program=$1
printf 'function f() {\n' >script.js
"$program" script.js
echo "status $?"
