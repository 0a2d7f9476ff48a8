#!/usr/bin/env bash
# The official builds of Node, unmodified: files, HTTP, chance and timers of hours, alone and as
# hosts of one world. One whose libuv is newer than ours is refused before it runs.
. sim/tests/world.bash
cat >newer.c <<'CODE'
#include <stdio.h>
unsigned uv_version(void) { return 1 << 16 | 99 << 8; }
unsigned long uv_loop_size(void) { return 1; }
int uv_run(void) { return 4; }
int main(void) { puts("it runs"); return uv_run(); }
CODE
"${CC:-gcc}" -rdynamic newer.c -o newer
refused 'newer has libuv built in, and its libuv is version 1.99, newer than ours' ./newer

nodes=()
for node in "$(command -v node || true)" "$build"/nodes/*/bin/node; do
    if [ -x "$node" ] && nm -D "$node" | grep ' T uv_run' >/dev/null; then nodes+=("$node"); fi
done
[ ${#nodes[@]} -gt 0 ] || { echo "there is no node with libuv inside"; exit 77; }

for node in "${nodes[@]}"; do
    sim --seed 5 -- "$node" "$programs/mixed.js" >expected 2>err
    says expected 'hours later'
    for _ in 1 2 3; do
        sim --seed 5 -- "$node" "$programs/mixed.js" >out 2>err
        same expected out "$node: another run of the seed differs"
        [ ! -s err ] || { cat err >&2; fail "$node: something of the outside was seen"; }
    done
    sim --seed 6 -- "$node" "$programs/mixed.js" >out
    if cmp -s expected out; then fail "$node: another seed gives the same world"; fi

    rm -rf disk
    mkdir disk
    cat >world.json <<END
{"hosts": [
   {"name": "server", "program": ["$node", "$programs/server.js"], "folder": "disk"},
   {"name": "client", "program": ["$node", "$programs/client.js", "6"],
    "environment": {"ASK": "/a"}}],
 "links": [{"between": ["server", "client"], "latency": "20ms", "jitter": "5ms"}],
 "happenings": [
   {"at": "20min", "cut": ["server", "client"]}, {"at": "40min", "heal": ["server", "client"]},
   {"at": "80min", "crash": "server"}, {"at": "100min", "restart": "server"}],
 "limit": "1d"}
END
    sim world.json >out
    cat >expected <<END
0 /a start 1, /a
31 /a timeout
61 /a start 1, /a
92 /a timeout
122 /a start 2, /a
152 /a start 2, /a
182 /end start 2, /end
END
    same expected out "$node: a day of two programs"
done
