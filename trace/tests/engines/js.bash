# Sourced by the tests with JavaScript, after common.bash.
"$phasor" -e 0 >/dev/null 2>&1 || skip "this build has no JavaScript runtime"

# expect_json FILE EXPRESSION: Python, about `report` (phasor report --json) and `rows`, what
# happened on the loops' threads as (kind, name), in order.
expect_json() {
    "$phasor" report --json "$1" >report.json || fail "no report: $(cat report.json)"
    "$phasor" report --perfetto perfetto.json "$1"
    python3 - "$2" <<'END' || fail "not so: $2"
import json, sys
report = json.load(open("report.json"))
rows = [(e["cat"], e["name"]) for e in json.load(open("perfetto.json"))["traceEvents"]
        if e.get("cat") in ("callback", "tick")]
if not eval(f"({sys.argv[1]})"):
    print(json.dumps(report, indent=1), *rows, sep="\n", file=sys.stderr)
    sys.exit(1)
END
}
