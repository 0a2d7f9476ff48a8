program=$1
"$program" -e 'let a = 1;
throw new Error("of the command line")'
echo "status $?"
