#!/usr/bin/env bash
# Unmodified, where `make clients` has unpacked it: files, HTTP, chance and timers of hours.
. sim/tests/world.bash
root=$build/clients/root
if [ ! -x "$root/usr/bin/node" ]; then
    echo "Debian's node is not unpacked (make clients does it)"
    exit 77
fi
unshare --mount true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
node() { # node SEED
    timeout -k 5 600 "$here/../../lib/tests/clients/inside.sh" "$root" \
        "$phasor" sim --seed "$1" -- node "$programs/mixed.js" </dev/null
}
node 5 >expected
for i in $(seq 10); do
    node 5 >out
    same expected out "run $i differs"
done
node 6 >out
if cmp -s expected out; then fail "another seed gives the same world"; fi
