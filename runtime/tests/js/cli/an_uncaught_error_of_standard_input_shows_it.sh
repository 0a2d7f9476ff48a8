program=$1
printf 'let a = 1;\nthrow new Error("from standard input")\n' | "$program"
echo "status $?"
