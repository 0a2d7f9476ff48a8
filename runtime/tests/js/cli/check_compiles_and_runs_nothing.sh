program=$1
echo 'throw new Error("it ran")' >good.js
echo 'export const a = 1; throw new Error("it ran")' >good.mjs
printf 'var foo bar;\n' >bad.js
echo 'require("module").wrapper = ["", ""];' >unwrapped.js
echo 'return 5' >inside.js
for file in good good.js good.mjs inside.js; do
    "$program" --check $file
    echo "$file: status $?"
done
"$program" -c bad >out 2>&1
echo "bad: status $?, $(grep -c "SyntaxError" out), $(head -1 out | sed 's#.*/##')"
"$program" -c missing >out 2>&1
echo "missing: status $?, $(grep -c "Cannot find module" out)"
"$program" -r ./unwrapped.js -c inside.js >out 2>&1
echo "unwrapped: status $?, $(grep -c "SyntaxError" out)"
echo 'throw 5' | "$program" --check
echo "standard input: status $?"
echo 'export const a = 5; throw 5' | "$program" --input-type=module --check
echo "module on standard input: status $?"
echo 'var foo bar;' | "$program" --check 2>&1 | head -1
"$program" --check -e 1 2>&1 | sed 's#.*: either#either#'
