#!/usr/bin/env bash
# `phasor trace --async node`: timers and immediates of Node have rows of their own, by function,
# and are followed to the request in which they were made, also over several of them, intervals and
# promises of timers. The program prints and ends as it does alone, also in workers and children,
# with options for Node of its own. With each Node that is there.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
shopt -s nullglob
nodes=("$build"/nodes/*/bin/node)
if command -v node >/dev/null; then
    nodes+=("$(command -v node)")
fi
[ ${#nodes[@]} -gt 0 ] || skip "there is no Node"
mkdir 'a "folder"'
cd 'a "folder"'
cat >app.js <<'CODE'
const http = require('http');
const { setTimeout: sleep } = require('timers/promises');
function burn(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
const routes = {
  '/timer': (end) => setTimeout(function timed() { burn(30); end(); }, 3),
  '/immediate': (end) => setImmediate(function soon() { burn(30); end(); }),
  '/nested': (end) => setTimeout(() => setImmediate(function nested() { burn(30); end(); }), 2),
  '/interval': (end, count = 0) => {
    const timer = setInterval(function each() {
      burn(30);
      if (++count === 2) { clearInterval(timer); end(); }
    }, 4);
  },
  '/promise': async (end) => { await sleep(3); burn(30); end(); },
};
const get = (port, path) => new Promise((resolve) => {
  http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
    response.resume().on('end', resolve);
  });
});
async function main() {
  const server = http.createServer((request, response) => {
    routes[request.url](() => response.end('ok'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const path of process.argv.slice(2)) await get(server.address().port, path);
  server.close();
}
main();
CODE
cat >others.js <<'CODE'
const { Worker, isMainThread } = require('worker_threads');
async function main() {
  let left = 200;
  await new Promise((resolve) => {
    for (let i = 0; i < 200; i++) setTimeout(function short() { if (--left === 0) resolve(); }, 1);
  });
  process.once('uncaughtException', (error) => console.log('caught', error.message));
  setTimeout(function thrower() { throw new Error('on purpose'); }, 1);
  const { AsyncResource } = require('async_hooks');
  class Watched extends AsyncResource { get _onTimeout() { throw new Error('asked, too'); } }
  new Watched('Timeout').runInAsyncScope(() => console.log('in scope'));
  const worker = new Worker(__filename);
  worker.on('exit', () => setTimeout(function last() {
    console.log('done', process.execArgv.length, typeof globalThis.preloaded);
  }, 1));
}
if (isMainThread) main();
else setTimeout(function inWorker() {}, 5);
CODE
echo 'globalThis.preloaded = true;' >before.js
export NODE_OPTIONS="--require ./before.js"
# recorded SCRIPT [ARGUMENTS]: as it is alone; its report is in report.
recorded() {
    expect 0 "$node" "$@"
    mv out alone
    expect 0 "$phasor" trace --async -o file -- "$node" "$@"
    cmp alone out || fail "$node prints something else: $(cat out err)"
    "$events" file left >kinds || fail "the recording of $node is not consistent"
    # Node gives memory for each read in a callback, which is nobody's business.
    ! grep alloc_cb kinds || fail "$node: an event more for each read"
    expect 0 "$phasor" report file
    mv out report
}

# A report has sentences about the five functions that blocked most: some may be of others.
for node in "${nodes[@]}"; do
    recorded app.js /timer /immediate
    says report "GET /timer → timer callback timed (app.js:"
    says report "GET /immediate → immediate callback soon (app.js:"
    says report "mostly in burn (app.js:"
    recorded app.js /nested /interval /promise
    says report "GET /nested → immediate callback nested (app.js:"
    says report "GET /interval → timer callback each (app.js:"
    says report "GET /promise → timer callback (promise), mostly in burn (app.js:"
    recorded others.js
    expect 0 "$phasor" report --json file
    python3 - "$node" <<'CODE'
import json, sys
report = json.load(open("out"))
rows = {one["function"].split(" ")[0]: one for one in report["functions"] if one.get("function")}
for name, calls in ("short", 200), ("thrower", 1), ("inWorker", 1), ("last", 1):
    assert rows[name]["calls"] == calls, (sys.argv[1], name, rows)
CODE
    rm -f file*
done
unset NODE_OPTIONS

# It is nothing for our runtime, which always tells of them, nor can it be had of one that runs.
echo 'setTimeout(function ours() {}, 1); console.log(process.env.NODE_OPTIONS);' >ours.js
expect 0 "$phasor" trace --async -o file ours.js
expect 0 "$phasor" report file
says out "timer callback ours (ours.js:1)"
expect 2 "$phasor" attach 1 --watch --async
