#!/usr/bin/env bash
# dqlite.sh FOLDER: the test programs of dqlite (a database that is spread over machines) in FOLDER,
# in a network of their own because of their fixed ports. Prints each test and its result. Some of
# them depend on timing: a program that fails is tried again, which is told.
set -euo pipefail
folder=$1
run() { # run PROGRAM [SUITE...]
    local program=$1
    shift
    echo "$program:"
    for try in 2 3 0; do
        ! "$folder/$program" "$@" >log 2>&1 || break
        [ $try = 0 ] || echo "# $program $*: try $try"
    done
    sed -n -E 's/^(.*\S) +\[ ([A-Z]+) +\].*/\1 \2/p; /tests successful/p; /[Ee]rror:/p' log
}

if [ -z "${DQLITE_ALONE:-}" ]; then
    export DQLITE_ALONE=1
    exec unshare --net sh -c 'ip link set lo up && exec "$@"' alone bash "$0" "$folder"
fi
cd "$(mktemp -d)"
"$folder/integration" role_management >log 2>&1 &
sleep 0.5
awk '/libuv\.so/ { print $6; exit }' "/proc/$!/maps" >"$CLIENT_LIBRARY"
wait
run unit
run raft-unit
run raft-integration
for suite in client membership node role_management server; do
    run integration $suite
done
