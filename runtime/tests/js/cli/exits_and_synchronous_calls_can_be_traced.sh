program=$1
first() { grep -o 'WARNING: [^(]*' | head -1; }
"$program" --trace-exit -e 'process.exit(3)' 2>&1 | first
"$program" --trace-sync-io -e 'fs.statSync("."); setImmediate(() => fs.statSync("."))' 2>&1 | first
"$program" --trace-sync-io -e 'fs.statSync(".")' 2>&1 | first
"$program" --security-revert=none -e 0 2>/dev/null
echo "status $?"
"$program" --disable-proto=delete -p 'vm.runInNewContext("({}).__proto__")'
NODE_OPTIONS=-- "$program" -e 0 2>/dev/null
echo "status $?"
"$program" -e 'process.stdout.destroy(); console.log("still heard")'
echo "const here = process.cwd() + '/node_modules';
console.log(module.isPreloading, module.parent.paths[0] === here)" >first.js
"$program" -r ./first.js -p module.isPreloading
(sleep 0.3; echo '1 + 1') | "$program" -i -e 'console.log("code")' | tail -n +3
