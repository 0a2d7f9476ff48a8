program=$1
"$program" -r ./missing.js -e 1
echo "status $?"
