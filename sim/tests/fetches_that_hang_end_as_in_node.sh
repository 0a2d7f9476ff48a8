#!/usr/bin/env bash
# After 10 s without a connection, 300 s without a head or another piece of a body; Node agrees.
. sim/tests/world.bash
needs_runtime
world() { # world PROGRAM...: the program's host can't reach the other
    cat >world.json <<END
{"hosts": [{"name": "one", "program": [$1]}, {"name": "other", "program": ["/bin/sleep", "1d"]}],
 "happenings": [{"at": "1ms", "cut": ["one", "other"]}], "done": ["one"], "limit": "2h"}
END
    sim --kind world.json
}
cat >expected <<'END'
slow passed
head fetch failed HeadersTimeoutError Headers Timeout Error UND_ERR_HEADERS_TIMEOUT 300
body terminated BodyTimeoutError Body Timeout Error UND_ERR_BODY_TIMEOUT 300
connection fetch failed ConnectTimeoutError Connect Timeout Error UND_ERR_CONNECT_TIMEOUT 10
END
without_address() { sed 's/ (attempted address: other:8123, timeout: 10000ms)//'; }
world "\"$programs/hanging.js\"" | without_address >out
same expected out "our runtime"
node=$(command -v node) || exit 0
case $("$node" --version) in v20.*) ;; *) exit 0 ;; esac
world "\"$node\", \"$programs/hanging.js\"" | without_address >out
same expected out "Node 20"
