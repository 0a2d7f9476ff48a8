program=$1
printf 'import fs from "fs";\n\nthrow new Error("of a module");\n' >script.mjs
"$program" script.mjs
echo "status $?"
