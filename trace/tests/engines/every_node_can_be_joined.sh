#!/usr/bin/env bash
# Official builds of Node, unpacked by scripts/nodes.sh, that were not started by us: attach sees
# their turns, with names in JavaScript, and they go on as they were.
. trace/tests/common.bash
[ "$(uname -m)" = x86_64 ] || skip "a thread can be made to call something on x86-64 only"
[ -z "$sanitizer" ] || skip "the recorder needs the sanitizer in the program"
unset LD_LIBRARY_PATH
shopt -s nullglob
nodes=("$build"/nodes/*/bin/node)
[ ${#nodes[@]} -gt 0 ] || skip "no builds of Node are unpacked (scripts/nodes.sh does it)"
make_busy_app
named() {
    "$phasor" report file >named.out 2>/dev/null &&
        grep -qE 'was blocked .*crunch \(app.js:[0-9]\)' named.out
}
for node in "${nodes[@]}"; do
    "$node" app.js >ticks &
    process=$!
    children+=($process)
    wait_for 30 test -s ticks
    if ! "$phasor" attach $process -o file 2>err; then
        grep -q "no permission" err && [ "$(id -u)" != 0 ] ||
            fail "$("$node" --version): $(cat err)"
        skip "this user may not look into its own processes"
    fi
    wait_for 60 named
    expect 0 "$phasor" attach $process --stop
    ! grep -qs phasor /proc/$process/task/*/comm || fail "$("$node" --version): not as it was"
    before=$(wc -l <ticks)
    more() { [ "$(wc -l <ticks)" -gt "$before" ]; }
    wait_for 30 more
    kill $process
    wait $process || true
    rm -f ticks file
done
