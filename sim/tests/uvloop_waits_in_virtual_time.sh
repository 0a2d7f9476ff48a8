#!/usr/bin/env bash
# Debian's Python and uvloop, where `make clients` has unpacked them.
. sim/tests/world.bash
root=$build/clients/root
if [ ! -d "$root/usr/lib/python3/dist-packages/uvloop" ]; then
    echo "Debian's uvloop is not unpacked (make clients does it)"
    exit 77
fi
unshare --mount true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
python() { # python SEED
    timeout -k 5 600 "$here/../../lib/tests/clients/inside.sh" "$root" \
        "$phasor" sim --seed "$1" -- /usr/bin/python3 "$programs/loop.py" </dev/null
}
python 1 >expected 2>err
[ ! -s err ] || { cat err >&2; fail "something of the outside was awaited"; }
says expected 'from a thread'
[ "$(grep -c '^HELLO . 525961$' expected)" = 5 ] || { cat expected >&2; fail "not an hour later"; }
# uvloop flushes a set of streams, and Python orders sets by address: the same kinds of standard
# streams, so that the same objects are made.
for i in 1 2 3; do
    python 1 >out 2>err
    same expected out "run $i differs"
done
