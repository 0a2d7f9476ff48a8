# Which program runs, and what it finds in process.argv.
program=$1
show='console.log(process.argv.slice(1).map((a) => a.replace(process.cwd(), "CWD")))'
echo "$show" >args.js
"$program" args.js
"$program" args.js one --two -e -- three
"$program" ./args one
"$program" -- args.js --help
"$program" --no-warnings args.js --no-warnings
"$program" -e "$show" one two
"$program" -e "$show" -- one --two
"$program" --eval="$show"
"$program" -p '[1, { two: "three" }]'
"$program" -p '"text"'
"$program" -p '' | cat -A
"$program" -pe '1 + 1'
"$program" --print 'process.argv.length' a b
"$program" -p '__filename + " " + __dirname + " " + typeof require + " " + typeof os.cpus'
"$program" -p 'let a = 1; a + 1'
"$program" <args.js
"$program" - one two <args.js
cat args.js | "$program"
cat args.js | "$program" -- - one
echo 'import fs from "fs"; console.log(typeof fs.readFile, typeof require)' >with_imports
"$program" --input-type=module -e '
    import fs from "fs";
    console.log(typeof fs.readFile, typeof require)'
"$program" --input-type=module <with_imports
"$program" --input-type=commonjs -p 'typeof require'
echo 'globalThis.before = "loaded"' >first.js
"$program" -r ./first.js -p before
"$program" --require ./first.js args.js
printf '#!/usr/bin/env node\nconsole.log("a script", __filename.split("/").pop())\n' >tool
"$program" tool
mkdir folder package
echo 'console.log("the index")' >folder/index.js
"$program" folder
"$program" ./folder/
echo '{"main": "lib/start"}' >package/package.json
mkdir package/lib
echo 'console.log("the main file", require.main === module)' >package/lib/start.js
"$program" package
ln -s ../args.js folder/link.js
"$program" folder/link.js
echo '{"type": "module"}' >folder/package.json
echo 'console.log("a module", import.meta.url.split("/").pop(), typeof require)' >folder/kind.js
"$program" folder/kind.js
"$program" --check args.js
echo "checked $?"
printf '\357\273\277console.log("after a mark")\n' >marked.js
"$program" marked.js
: >empty.js
"$program" empty.js
echo "empty $?"
"$program" </dev/null
echo "nothing $?"
