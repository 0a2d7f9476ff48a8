program=$1
"$program" missing.js one
echo "status $?"
