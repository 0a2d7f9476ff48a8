program=$1
printf 'let a = 1;\n\n  let b = a +;\nlet c;\n' >script.js
"$program" script.js
echo "status $?"
