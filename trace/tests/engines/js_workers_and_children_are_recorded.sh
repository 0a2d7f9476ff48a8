#!/usr/bin/env bash
# A worker is a loop of its own in the same file; a child is a process with a file of its own.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', function onMessage(text) { console.log(text); });
} else {
  setTimeout(function inWorker() { parentPort.postMessage('hello'); }, 5);
}
END
expect 0 "$phasor" trace -o file app.js
[ "$(cat out)" = hello ] || fail "printed $(cat out)"
expect_json file "len(report['loops']) == 2 and all(one['iterations'] for one in report['loops'])"
expect_json file "len({one['thread'] for one in report['loops']}) == 2"
expect_json file "('callback', 'timer callback inWorker (app.js:6)') in rows"
expect_json file "('callback', 'message callback onMessage (app.js:4)') in rows"
expect_json file "report['loops'][0]['name'] == 'main loop'"

# A child that is waited for turns a loop of its own inside; the main loop is still the main one.
cat >sync.js <<'END'
require('child_process').execFileSync('true');
setTimeout(function afterwards() {}, 1);
END
expect 0 "$phasor" trace -o sync sync.js
expect_json sync "[one for one in report['longest'] if one['function'] == 'afterwards (sync.js:2)'
    and one['loop'] == 'main loop']"

printf "process.on('message', function onAsked() {\n%s\n});\n" \
    "process.send('yes'); process.disconnect();" \
    >child.js
cat >parent.js <<'END'
const child = require('child_process').fork('./child.js');
child.on('message', function onAnswer(text) { console.log(text); });
child.send('there?');
END
expect 0 "$phasor" trace -o family parent.js
[ "$(cat out)" = yes ] || fail "printed $(cat out)"
expect_json family "any('onAnswer (parent.js:2)' in name for kind, name in rows)"
expect_json family.[0-9]* "any('onAsked (child.js:1)' in name for kind, name in rows)"
