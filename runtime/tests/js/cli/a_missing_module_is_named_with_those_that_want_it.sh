program=$1
echo 'require("./second")' >first.js
echo 'console.log(1); require("./missing")' >second.js
"$program" first.js
echo "status $?"
