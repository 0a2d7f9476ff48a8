#!/usr/bin/env bash
# For Prometheus, with OpenTelemetry's names for the event loop; for a collector; and of a process
# that runs already, which goes on as it was afterwards.
. trace/tests/common.bash
[ -w /dev/shm ] || skip "there is no memory for the rings"
cat >look.py <<'END_OF_PYTHON'
import http.client, re, sys, time

address = re.search(r"http://([^/]+)(/metrics)", open("err").read())


def get(path="/metrics"):
    connection = http.client.HTTPConnection(address[1], timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.headers["Content-Type"], answer.read().decode()


def figures():
    status, kind, text = get()
    assert status == 200 and kind.startswith("text/plain; version=0.0.4"), (status, kind)
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = re.fullmatch(r'([a-z0-9_]+)(\{.*\})? (\S+)', line).groups()
            found.setdefault(name, {})[labels or ""] = float(value)
    return found


def of_loop(found, name):
    return sum(value for labels, value in found.get(name, {}).items() if "main loop" in labels)


end = time.time() + 60
while of_loop(figures(), "phasor_loop_iterations_total") < 5 and time.time() < end:
    time.sleep(0.1)
first = figures()
while (of_loop(figures(), "phasor_loop_iterations_total")
       <= of_loop(first, "phasor_loop_iterations_total") and time.time() < end):
    time.sleep(0.1)
second = figures()
names = [f"nodejs_eventloop_delay_{part}_seconds"
         for part in ("min", "max", "mean", "stddev", "p50", "p90", "p99")]
assert all(name in second for name in names), second
delays = [of_loop(second, f"nodejs_eventloop_delay_{part}_seconds")
          for part in ("min", "p50", "p90", "p99", "max")]
assert delays == sorted(delays), delays
assert 0 <= of_loop(second, "nodejs_eventloop_utilization_ratio") <= 1
states = {labels: value for labels, value in second["nodejs_eventloop_time_seconds_total"].items()}
assert len(states) == 2 and all("nodejs_eventloop_state=" in labels for labels in states), states
for name, points in first.items():
    if name.endswith(("_total", "_count", "_bucket")):
        for labels, value in points.items():
            assert second[name][labels] >= value, (name, labels)
assert of_loop(second, "phasor_loop_iterations_total") \
    > of_loop(first, "phasor_loop_iterations_total")
assert of_loop(second, "phasor_loop_lag_seconds_count") \
    == of_loop(second, "phasor_loop_iterations_total")
assert get("/")[0] == 404
END_OF_PYTHON

# Whoever sends a signal to it sends it to the program.
: >err
"$phasor" watch --metrics 0 -- "$program" clock >ticking 2>err &
watcher=$!
children+=($watcher)
wait_for 20 grep -q "figures are at" err
python3 look.py || fail "$(cat err)"
kill -TERM $watcher
status=0
wait $watcher || status=$?
[ $status = 143 ] || [ $status = 0 ] || fail "ended with $status: $(cat err)"

# A collector gets the figures at the end, too.
python3 - "$phasor" "$program" <<'END_OF_PYTHON'
import http.server, json, subprocess, sys, threading
received = {}


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        received[self.path] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=server.serve_forever, daemon=True).start()
subprocess.run([sys.argv[1], "watch", "--blocked", "20ms", "--otlp",
                f"http://127.0.0.1:{server.server_port}", "--", sys.argv[2], "blocked"],
               check=True, timeout=120, stdout=subprocess.DEVNULL)
scope, = received["/v1/metrics"]["resourceMetrics"][0]["scopeMetrics"]
metrics = {metric["name"]: metric for metric in scope["metrics"]}
delay, = metrics["nodejs.eventloop.delay.max"]["gauge"]["dataPoints"]
assert metrics["nodejs.eventloop.delay.max"]["unit"] == "s" and delay["asDouble"] >= 0.02, delay
assert metrics["nodejs.eventloop.utilization"]["unit"] == "1"
states = {attribute["value"]["stringValue"]
          for point in metrics["nodejs.eventloop.time"]["sum"]["dataPoints"]
          for attribute in point["attributes"] if attribute["key"] == "nodejs.eventloop.state"}
assert states == {"active", "idle"}, states
spans = received["/v1/traces"]["resourceSpans"][0]["scopeSpans"][0]["spans"]
assert any(int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"]) >= 20_000_000
           for span in spans), spans
END_OF_PYTHON

"$program" clock >joined &
clock=$!
children+=($clock)
wait_for 20 test -s joined
: >err
"$phasor" attach $clock --watch --metrics 0 >out 2>err &
watcher=$!
children+=($watcher)
wait_for 20 grep -qE "figures are at|no permission" err
if grep -q "no permission" err; then
    exit 0 # the rights of a debugger are needed
fi
python3 look.py || fail "$(cat err)"
kill -INT $watcher
wait $watcher || fail "$(cat err)"
expect 1 "$phasor" attach $clock --stop
says err "is not being recorded"
! ls -d /dev/shm/phasor-watch-$watcher-* >/dev/null 2>&1 || fail "memory was left behind"
kill $clock
wait $clock
expect 1 "$phasor" attach $clock --watch
says err "there is no process $clock"
