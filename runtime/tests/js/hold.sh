#!/usr/bin/env bash
# hold.sh PHASOR LOAD: an HTTP server holds 10,000 connections, answers twice on each of them, and
# has nothing left when they are gone. The clients are two other processes, since none may have
# more descriptors than the hard limit. 77: that limit is too low here.
set -euo pipefail
phasor=$(realpath "$1")
load=$(realpath "$2")
each=5000
server=$(realpath "$(dirname "$0")/http/hold/server.js")

limit=$(ulimit -Hn)
if [ "$limit" != unlimited ] && [ "$limit" -lt $((2 * each + 200)) ]; then
    echo "the hard limit of descriptors is $limit here, $((2 * each + 200)) are needed"
    exit 77
fi

work=$(mktemp -d)
cd "$work"
mkfifo say go1 go2
touch said out1 out2
pids=""
# shellcheck disable=SC2086
trap 'kill $pids 2>/dev/null || true; rm -rf "$work"' EXIT

# The file has N lines, within ten minutes: on a busy machine 10,000 connections take long.
wait_for() {
    for _ in $(seq 6000); do
        [ "$(wc -l <"$1")" -ge "$2" ] && return
        sleep 0.1
    done
    echo "nothing new in $1:" && cat "$1" && exit 1
}

PHASOR_CHECK_LEAKS=1 "$phasor" "$server" <say >said 2>complaints &
serving=$!
pids="$serving"
exec 7>say
wait_for said 1
port=$(head -n 1 said)

for i in 1 2; do
    "$load" hold $each "$port" <go$i >out$i &
    pids="$pids $!"
done
exec 8>go1 9>go2
wait_for out1 1
wait_for out2 1
echo count >&7
wait_for said 2
sed -n 2p said
grep -q "^$((2 * each)) connections" said || { echo "some are missing" && exit 1; }

echo go >&8
echo go >&9
wait_for out1 2
wait_for out2 2
grep -qx "answered $((2 * each))" out1
grep -qx "answered $((2 * each))" out2

exec 7>&-
status=0
wait "$serving" || status=$?
cat complaints
tail -n 1 said
[ $status -eq 0 ] && [ "$(tail -n 1 said)" = "nothing is left" ]
