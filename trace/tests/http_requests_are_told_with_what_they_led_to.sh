#!/usr/bin/env bash
# Requests to a server by route, with where their time went; who blocked the loop is told with the
# request that led to it, also over the pool; and a trace that began elsewhere goes on.
. trace/tests/common.bash
cat >server.py <<'END_OF_PYTHON'
# Talks to the server that the recorded program is: connections on their own, all at once.
import socket, sys, threading
port = int(open("port").read())


def ask(lines):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        head = lines + ["Host: x", "Connection: close", "", ""]
        connection.sendall("\r\n".join(head).encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer


parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
ask(["GET /fast?x=1 HTTP/1.1", f"traceparent: {parent}"])
asked = [["GET /slow HTTP/1.1"], ["GET /later HTTP/1.1"], ["GET /users/17 HTTP/1.1"],
         ["GET /users/18?a HTTP/1.1"],
         ["POST /pool HTTP/1.1", "Content-Length: 0"], ["GET /broken HTTP/1.1"]]
threads = [threading.Thread(target=ask, args=(lines,)) for lines in asked]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
ask(["GET /end HTTP/1.1"])
END_OF_PYTHON
cat >app.js <<'CODE'
const http = require('http');
const fs = require('fs');
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
function slowRoute(res) { crunch(150); res.end('slow'); }
function poolRoute(res) {
  require('crypto').pbkdf2('a', 'b', 100000, 64, 'sha512', function derived() {
    fs.stat(__filename, function afterStat() { crunch(120); res.end('pool'); });
  });
}
function laterRoute(res) {
  setTimeout(() => setImmediate(function afterwards() { crunch(110); res.end('late'); }), 5);
}
const server = http.createServer((req, res) => {
  if (req.url === '/slow') slowRoute(res);
  else if (req.url === '/pool') poolRoute(res);
  else if (req.url === '/later') laterRoute(res);
  else if (req.url === '/broken') { res.statusCode = 503; res.end('no'); }
  else res.end('ok');
  if (req.url === '/end') server.close();
});
server.listen(0, '127.0.0.1', () => fs.writeFileSync('port', String(server.address().port)));
CODE

# check PROGRAM...: the recording of that server
check() {
    rm -f port
    "$phasor" trace -o file "$@" app.js >out 2>err &
    local traced=$!
    children+=($traced)
    wait_for 60 test -s port
    python3 server.py
    wait $traced || fail "$(cat err)"
    expect 0 "$phasor" report file
    grep -qE "blocked .* by GET /slow → .*(crunch|slowRoute)" out || fail "$(cat out)"
    grep -qE "blocked .* by POST /pool → .*(crunch|afterStat)" out || fail "$(cat out)"
    says out "HTTP requests, from their first byte"
    expect 0 "$phasor" report file --json
    mv out report.json
    expect 0 "$phasor" export file --otlp otlp.json
    expect 0 "$phasor" report file --perfetto perfetto.json
    python3 - <<'END_OF_PYTHON'
import json
routes = {one["route"]: one for one in json.load(open("report.json"))["http"]}
assert set(routes) == {"GET /fast", "GET /slow", "GET /users/:id", "POST /pool", "GET /broken",
                       "GET /end", "GET /later"}, routes
assert routes["GET /users/:id"]["answered"] == 2 and routes["GET /broken"]["failed"] == 1, routes
for route in routes.values():
    parts = route["own"] + route["others"] + route["waiting"]
    assert route["answered"] > 0 and route["unanswered"] == 0, route
    assert abs(parts - route["total"]) <= route["total"] / 1000 + 1000, route
assert routes["GET /slow"]["own"] >= 100e6 and routes["POST /pool"]["own"] >= 80e6, routes
# Also where timers are not followed: what answers is for the request.
assert routes["GET /later"]["own"] >= 80e6, routes
spans = json.loads(open("otlp.json").readlines()[1])["resourceSpans"][0]["scopeSpans"][0]["spans"]
fast, = [span for span in spans if span["name"] == "GET /fast"]
assert fast["traceId"] == "0af7651916cd43dd8448eb211c80319c", fast
assert fast["parentSpanId"] == "b7ad6b7169203331" and fast["kind"] == 2, fast
assert {"key": "http.response.status_code", "value": {"intValue": "200"}} in fast["attributes"]
events = [e for e in json.load(open("perfetto.json"))["traceEvents"] if e.get("cat") == "http"]
assert len(events) == 2 * 8 and {e["ph"] for e in events} == {"b", "e"}, events
END_OF_PYTHON
}

if "$phasor" -e 0 >/dev/null 2>&1; then
    check
    # Timers and immediates of our runtime are followed, too.
    expect 0 "$phasor" report file
    grep -qE "by GET /later → .*(crunch|afterwards)" out || fail "$(cat out)"
fi
if [ -z "$sanitizer" ] && command -v node >/dev/null; then
    check node
fi
