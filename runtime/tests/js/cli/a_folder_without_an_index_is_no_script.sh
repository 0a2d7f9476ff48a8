program=$1
mkdir folder
"$program" folder
echo "status $?"
