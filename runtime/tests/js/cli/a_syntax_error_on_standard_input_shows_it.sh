program=$1
echo 'let b = ;' | "$program"
echo "status $?"
