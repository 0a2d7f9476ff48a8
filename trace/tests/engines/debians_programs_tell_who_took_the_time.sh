#!/usr/bin/env bash
# Unmodified programs that `make clients` has unpacked: node tells JavaScript functions and their
# lines, also in workers, under load and when ^C ends it; Python its own; neovim what it can. Each
# prints and ends as it does alone. What is to be blamed works for a while, but no less than so many
# steps: on a busy machine a time alone may pass while nobody runs, neither it nor who looks at it.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
root=$build/clients/root
[ -x "$root/usr/bin/node" ] || skip "Debian's node is not unpacked (make clients does it)"
unshare --mount true 2>/dev/null || skip "no mount namespaces here"
inside() { "$source/lib/tests/clients/inside.sh" "$root" "$@"; }

# same COMMAND...: alone and recorded in `file`; then the report on that, in out.
same() {
    rm -f file*
    expect 0 inside "$@"
    mv out alone
    expect 0 inside "$phasor" trace -o file -- "$@"
    cmp alone out || fail "prints something else when it is recorded: $(cat out)"
    "$events" file left >/dev/null || fail "the recording is not consistent"
    inside "$phasor" report file >out || fail "$(cat out)"
}

cat >http.js <<'END'
function slowRoute(ms, steps = 1e8) {
  for (const end = Date.now() + ms; steps-- > 0 || Date.now() < end;);
}
const http = require('http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
const server = http.createServer((request, response) => {
  if (request.url === '/slow') slowRoute(150);
  response.end('ok');
});
const get = (port, path) => new Promise((resolve) => {
  http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode));
  });
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const answers = await Promise.all(Array.from({ length: 3000 }, () => get(port, '/')));
  console.log(answers.filter((status) => status === 200).length, await get(port, '/slow'));
  agent.destroy();
  server.close();
});
END
same node http.js
says alone "3000 200"
who='(GET /slow → )?slowRoute \(http.js:2\) under uv_read_cb'
grep -qE "blocked [0-9.]+ ms at .* by $who" out || grep -qE "waited .* in $who" out ||
    fail "$(cat out)"
says out "slowRoute (http.js:2) < (anonymous) (http.js:7) < emit (node:events:"
inside "$phasor" report --json file >report.json
python3 - <<'CODE'
import json
report = json.load(open("report.json"))
block = [one for one in report["longest"] if one.get("name") == "slowRoute"]
assert block and block[0]["file"].endswith("/http.js") and block[0]["line"] == 2, report["longest"]
assert any(one.get("name") == "slowRoute" for one in report["functions"]), report["functions"]
CODE
inside "$phasor" report --html page.html file
says page.html '"slowRoute (http.js:2)"'

# A worker has an engine of its own; it may end while it is being asked.
cat >worker.js <<'END'
const { Worker, isMainThread } = require('worker_threads');
function busyWorker(ms, steps = 1e8) {
  for (const end = Date.now() + ms; steps-- > 0 || Date.now() < end;);
}
if (isMainThread) {
  let left = 4;
  for (let i = 0; i < 4; i++) new Worker(__filename).on('exit', () => --left || console.log('all'));
} else setTimeout(() => { busyWorker(150); process.exit(0); }, 1);
END
same node worker.js
says out "busyWorker (worker.js:3) under uv_timer_cb"

# ^C in the middle of it.
cat >busy.js <<'END'
function neverReady(steps = 1e8) {
  for (const end = Date.now() + 300; steps-- > 0 || Date.now() < end;);
}
setInterval(() => { neverReady(); console.log('ready'); }, 1);
END
rm -f file
inside "$phasor" trace -o file -- node busy.js >out 2>err &
children+=($!)
wait_for 60 grep -q ready out
pkill -INT -P "$(pgrep -P $! || echo $!)" 2>/dev/null || kill -INT $!
status=0
wait $! || status=$?
[ "$status" = 130 ] || fail "ended with $status: $(cat err)"
inside "$phasor" report file >out
says out "neverReady (busy.js:2) under uv_timer_cb"

cat >app.py <<'END'
import asyncio, time, uvloop
class Parser:
    def parse(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
def sleepy():
    time.sleep(0.15)
async def main():
    await asyncio.sleep(0.01)
    Parser().parse(0.15)
    await asyncio.sleep(0.01)
    sleepy()
    print('parsed')
uvloop.install()
asyncio.run(main())
END
same /usr/bin/python3 app.py
says out "Parser.parse (app.py:3)"
says out "sleepy (app.py:7)"

same nvim --headless -u NONE -i NONE -n -c 'lua vim.defer_fn(function()
  local s = 0 for i = 1, 3e8 do s = s + i % 7 end print("ready") vim.cmd("qa!") end, 1)'
grep -qE 'stacks?: ' out || fail "no stacks of neovim: $(cat out)"
