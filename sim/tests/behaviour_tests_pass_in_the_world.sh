#!/usr/bin/env bash
# Those of timers, hooks, streams, UDP, the pool and files, but for those in not_in_the_world.txt.
# Each has a process of its own, as always; those that make no loop have nothing to simulate.
. sim/tests/world.bash
sources=$here/../../lib/tests/behaviour
files="timer loop_phases loop_turns loop_life handle async pool_work random dns pipe_names
    threads_create threads_sync beyond_timers beyond_post beyond_pools
    fs_files fs_paths fs_stat fs_directories fs_copy fs_cancel
    stream_at_once stream_batch stream_cancel stream_close stream_read stream_write
    tcp_connection tcp_options udp_options udp_recv udp_send udp_socket"
for file in $files; do
    sed -nE "s/^TEST\(([a-z0-9_]+)\).*/$file.\1/p" "$sources"/*/"$file.c"
done | sort >all
sed -nE 's/^([a-z0-9_]+\.[a-z0-9_]+) \| .*/\1/p' "$here/not_in_the_world.txt" | sort >listed
comm -13 all listed >unknown
[ ! -s unknown ] || { cat unknown >&2; fail "not_in_the_world.txt lists tests that are not there"; }
comm -23 all listed >wanted
run_one() { # run_one FILE.TEST
    local status=0
    timeout -k 5 280 "$phasor" sim "$build/tests/test_behaviour_${1%%.*}" "${1#*.}" \
        </dev/null >"output.$1" 2>&1 || status=$?
    [ $status = 0 ] || [ $status = 77 ] || grep -q 'so there is nothing to simulate' "output.$1" ||
        { echo "$1: status $status"; tail -n 3 "output.$1"; } >"failed.$1"
}
export -f run_one
export phasor build
xargs -P 2 -I{} bash -c 'run_one {}' <wanted
if compgen -G 'failed.*' >names; then
    cat failed.* >&2
    fail "$(wc -l <names) of $(wc -l <wanted) behaviour tests fail in the world"
fi
