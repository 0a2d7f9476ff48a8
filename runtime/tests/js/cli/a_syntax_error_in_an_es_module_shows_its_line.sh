program=$1
printf 'let a = 1;\nlet b = ];\n' >script.mjs
"$program" script.mjs
echo "status $?"
