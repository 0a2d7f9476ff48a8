program=$1
told() {
    "$program" "$@" >out 2>&1 </dev/null
    echo "$1: status $?, $(head -1 out | sed 's#^[^ ]*: ##')"
}
told --title= -p 1
told --inspect-port= -p 1
told --no-max-http-header-size -p 1
told --no-such-thing -p 1
told --use-largepages=xyzzy -p 42
told --use-largepages=off -p 42
told --trace-require-module=1 -p 42
told -p '\-42'
told --input-type=module -p 42 | sed 's/node:.*/.../'
told --no-experimental-require-module -p 'process.features.require_module'
told -p 'crypto.randomBytes(2).length'
told -p 'Object.defineProperty(global, "fs", { configurable: false }); fs === require("fs")'
for code in 'eval("1")' 'new Function("1")' '(async () => {}).constructor("1")' \
    'eval(5) + typeof Function.prototype + (() => {} instanceof Function)'; do
    "$program" --disallow-code-generation-from-strings -p "$code" 2>&1 |
        grep -E '^(EvalError|5)'
done
printf 'A=1\nB=1\n' >one.env
printf 'A=2\nC=2\n' >two.env
B=outside "$program" --env-file=one.env --env-file-if-exists=none.env --env-file two.env \
    -p 'const { A, B, C } = process.env; A + B + C' 2>&1
for option in -v --eval --check -i --expose_internals -- --test; do
    NODE_OPTIONS=$option "$program" 2>&1 </dev/null | sed 's#^[^ ]*: ##'
done
echo 'console.log(process.argv[1].endsWith("/main.js"))' | tee main.js >first.js
"$program" -r ./first.js main.js
mkdir -p other
echo 'console.log("imported")' >there.mjs
"$program" -e 'process.chdir("other"); import("./there.mjs")'
echo 'console.log(process.execArgv.length, process.argv.length)' >forked.js
"$program" --no-warnings -e 'require("child_process").fork("./forked.js", ["x"])'
told --security-revert=CVE-2023-46809 --security-revert=CVE-2024-27980 -p 1
"$program" --security-revert=CVE-2023-46809 --security-revert=CVE-2024-27980 -p 1
told --security-revert=CVE-1999-0001 -p 1
# The working folder may be gone.
here=$PWD
mkdir gone
cd gone
rmdir ../gone
echo 'console.log("preloaded")' >"$here/before.js"
"$program" -r "$here/before.js" -p 1
"$program" -p 'path.dirname(module.paths[0]) === path.dirname(process.execPath)'
echo 'console.log(typeof path, module.filename.endsWith("[stdin]"))' | "$program"
"$program" -p 'import("fs").then(() => console.log("imported"))' | tail -1
"$program" --import "$here/there.mjs" -p 2
cd "$here"
