#!/usr/bin/env bash
# Whatever way the runtime comes to call a function of the program, its name is in the recording.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
const fs = require('fs');
const net = require('net');
function onTimer() {}
setTimeout(onTimer, 1);
setImmediate(function onImmediate() { process.nextTick(function onTick() {}); });
fs.readFile(__filename, (error, text) => {});
const server = net.createServer(function onConnection(socket) {
  socket.on('data', onData);
});
function onData() {
  for (const end = Date.now() + 20; Date.now() < end;) ; this.end();
}
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write('x');
  client.on('close', function onClose() { server.close(); });
});
const named = async () => { await null; };
named().then(function onPromise() {});
process.on('exit', function onExit() {});
END
expect 0 "$phasor" trace -o file app.js
for name in "timer callback onTimer (app.js:3)" "immediate callback onImmediate (app.js:5)" \
    "file callback (anonymous) (app.js:6)" "connection callback onConnection (app.js:7)" \
    "read callback onData (app.js:10)" "close callback onClose (app.js:16)" \
    "onExit (app.js:20)" "(script) (app.js:1)"; do
    expect_json file "rows.count(('callback', '$name')) == 1"
done
for name in "onTick (app.js:5)" "onPromise (app.js:19)" "named (app.js:18)"; do
    expect_json file "rows.count(('tick', '$name')) == 1"
done
# It keeps the loop busy, so that it is one of the longest.
expect_json file "any(one.get('name') == 'onData' and one['file'] == '$temp/app.js' and
    one['line'] == 10 and one['phase'] == 'poll' for one in report['longest'])"
# What the runtime does for itself has no names of its own.
expect_json file "not any('node:' in name or '.c:' in name for kind, name in rows)"
# The page and the report use the same words.
expect 0 "$phasor" report --html page.html file
says page.html '"onData (app.js:10)"'

# Modules, code without a file, and files elsewhere.
mkdir elsewhere
printf 'export default function far() {}\n' >elsewhere/far.mjs
printf "import far from '$temp/elsewhere/far.mjs';\nsetTimeout(far, 1);\n" >app.mjs
(cd / && expect 0 "$phasor" trace -o "$temp/module" "$temp/app.mjs")
expect_json module "('callback', 'timer callback far ($temp/elsewhere/far.mjs:1)') in rows"
expect 0 "$phasor" trace -o code -e 'setTimeout(function f() { console.log(process.argv[1]) }, 1)' a
[ "$(cat out)" = a ] || fail "printed $(cat out)"
expect_json code "('callback', 'timer callback f ([eval]:1)') in rows"
