#!/usr/bin/env bash
# The figures in the formats of others: Prometheus' text, OpenTelemetry's JSON, also over HTTP.
. trace/tests/common.bash
"$build/tests/trace/long" file 100000 2 >/dev/null
expect 0 "$phasor" report file --json
mv out report.json
expect 0 "$phasor" export file --prometheus metrics.txt --otlp otlp.json
python3 - "$phasor" <<'END'
import http.server, json, re, subprocess, sys, threading

report = json.load(open("report.json"))
loop = report["loops"][0]
values, kinds = {}, {}
for line in open("metrics.txt"):
    if line.startswith("#"):
        _, word, name, rest = line.split(" ", 3)
        kinds.setdefault(name, {})[word] = rest.strip()
        continue
    name, labels, value = re.fullmatch(r'([a-z_]+)(\{.*\})? (\S+)\n', line).groups()
    values[name, labels or ""] = float(value)
assert all({"HELP", "TYPE"} == set(words) for words in kinds.values()), kinds
assert all(name.endswith("_total") for name, words in kinds.items() if words["TYPE"] == "counter")
main = '{loop="main loop"}'
assert values["phasor_loop_iterations_total", main] == loop["iterations"]
assert abs(values["phasor_loop_busy_seconds_total", main] - loop["busy"] / 1e9) < 1e-6
assert values["phasor_loop_lag_seconds_count", main] == loop["lag"]["count"]
buckets = [v for (n, labels), v in values.items()
           if n == "phasor_loop_lag_seconds_bucket" and "main" in labels]
assert buckets == sorted(buckets) and buckets[-1] == loop["lag"]["count"], buckets
called = '{function="0x5000",kind="timer_cb"}'
timer, = [f for f in report["functions"] if f["kind"] == "uv_timer_cb"]
assert values["phasor_callback_seconds_count", called] == timer["calls"], values


def check(metrics, spans):
    """Names in camelCase, 64-bit numbers as text, ids in hexadecimal, times as text in ns."""
    resource, = metrics["resourceMetrics"]
    attributes = {a["key"]: a["value"] for a in resource["resource"]["attributes"]}
    assert attributes["process.pid"] == {"intValue": str(report["pid"])}, attributes
    scope, = resource["scopeMetrics"]
    assert scope["scope"]["name"] == "phasor"
    found = {m["name"]: m for m in scope["metrics"]}
    lag, = found["phasor.loop.lag"]["histogram"]["dataPoints"]
    assert found["phasor.loop.lag"]["unit"] == "s"
    assert found["phasor.loop.lag"]["histogram"]["aggregationTemporality"] == 2
    assert lag["count"] == str(loop["lag"]["count"]) and lag["max"] * 1e9 == loop["lag"]["worst"]
    assert len(lag["bucketCounts"]) == len(lag["explicitBounds"]) + 1
    assert sum(map(int, lag["bucketCounts"])) == loop["lag"]["count"]
    assert all(isinstance(lag[key], str) for key in ("startTimeUnixNano", "timeUnixNano"))
    turns, = found["phasor.loop.iterations"]["sum"]["dataPoints"]
    assert found["phasor.loop.iterations"]["sum"]["isMonotonic"] is True
    assert turns["asDouble"] == loop["iterations"]
    spans = spans["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ids = {span["spanId"] for span in spans}
    assert len(ids) == len(spans) == 2, spans
    for span in spans:
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"]), span
        assert re.fullmatch("[0-9a-f]{16}", span["spanId"]), span
        assert span.get("parentSpanId") in ids | {None} and span["kind"] == 1
        assert int(span["startTimeUnixNano"]) >= 1_700_000_000 * 10**9
    block, = [s for s in spans if "uv_read_cb" in s["name"]]
    assert int(block["endTimeUnixNano"]) - int(block["startTimeUnixNano"]) >= 20_000_000
    assert "parentSpanId" in block


lines = [json.loads(line) for line in open("otlp.json")]
check(*lines)
received = {}


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received[self.path] = (self.headers["Content-Type"], json.loads(body))
        self.send_response(500 if self.path.startswith("/broken") else 200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def export(to):
    return subprocess.run([sys.argv[1], "export", "file", "--otlp", to], capture_output=True,
                          text=True, timeout=100)


done = export(address + "/collector/")
assert done.returncode == 0, done
assert all(kind == "application/json" for kind, _ in received.values())
check(received["/collector/v1/metrics"][1], received["/collector/v1/traces"][1])
done = export(address + "/broken")
assert done.returncode == 1 and "answered HTTP/1.0 500" in done.stderr, done
server.shutdown()
server.server_close()
done = export(address)
assert done.returncode == 1 and "can't be reached" in done.stderr, done
done = export("https://127.0.0.1/")
assert done.returncode == 1 and "does not begin with http://" in done.stderr, done
END
expect 2 "$phasor" export file
says err "--otlp or --prometheus?"

# Of a running process, and its recording ends with it.
"$program" clock 100000 >/dev/null &
child=$!
children+=("$child")
wait_for 10 grep -q libuv "/proc/$child/maps"
sleep 0.2
status=0
TMPDIR=$temp "$phasor" export "$child" --prometheus - --for 500ms >live 2>err || status=$?
if [ $status != 0 ] && grep -q "may not" err; then
    exit 0 # the rights of a debugger are needed
fi
[ $status = 0 ] || fail "$(cat err)"
grep -Eq '^phasor_loop_iterations_total\{loop="main loop"\} [1-9]' live || fail "$(cat live)"
[ -z "$(ls -d "$temp"/phasor-export-* 2>/dev/null)" ] || fail "a recording was left behind"
