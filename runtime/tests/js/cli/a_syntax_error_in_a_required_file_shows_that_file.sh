program=$1
echo 'require("./broken")' >script.js
printf 'function f() {\n  return }}\n' >broken.js
"$program" script.js
echo "status $?"
