program=$1
echo 'import "./missing.mjs"' >first.mjs
"$program" first.mjs
echo "status $?"
