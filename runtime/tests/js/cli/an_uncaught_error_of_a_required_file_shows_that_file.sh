program=$1
echo 'require("./thrower")' >script.js
printf '\n\nexports.x = 1; throw new Error("inside");\n' >thrower.js
"$program" script.js
echo "status $?"
