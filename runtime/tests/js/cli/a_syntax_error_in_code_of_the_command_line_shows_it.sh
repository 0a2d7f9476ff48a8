program=$1
"$program" -e 'let a = 1;
let b = ;'
echo "status $?"
