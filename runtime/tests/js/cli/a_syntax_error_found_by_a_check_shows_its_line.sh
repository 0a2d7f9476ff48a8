program=$1
printf 'let a = 1;\nlet b = ;\n' >script.js
"$program" --check script.js
echo "status $?"
