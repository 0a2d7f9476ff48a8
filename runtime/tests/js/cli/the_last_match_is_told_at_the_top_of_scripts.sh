program=$1
"$program" -e '/(b)(.)/.test("abc"); console.log(RegExp.$1, RegExp.$2, RegExp.lastMatch)'
"$program" --input-type=module -e '/(b)(.)/.test("abc"); console.log(RegExp.$1, RegExp.$2)'
"$program" -e 'require("assert").match("abc", /(b)(.)/); console.log(RegExp.$1, RegExp["$`"])'
# What is still open at the prompt, and what has no value.
printf '/(b)(.)/.test("abc")\nRegExp.$2\n{ "a":\n1 }\n{ a: [1,\n2] }\n' | "$program" -i 2>&1 |
    sed -n '3,$p'
for code in 'for (let i = 0; i < 2; i++) await i' 'if (await 1) 2' 'await 3' \
    'for (const x of [1]) { await x; } await 4'; do
    echo "$code" | "$program" -i 2>&1 | sed -n '3,$p'
done
