program=$1
"$program" --no-such-option script.js
echo "status $?"
"$program" -Q
echo "status $?"
"$program" -e
echo "status $?"
"$program" --eval
echo "status $?"
"$program" -r
echo "status $?"
