#!/usr/bin/env bash
# As often as the link says; on a good link never.
. sim/tests/world.bash
needs_runtime
sim "$programs/datagrams.js" 0 0 0 >out
echo '10.77.0.3 lost 0 doubled 0 overtaken 0' >expected
same expected out "a good link"
within() { # within KIND LOWEST HIGHEST
    local count
    count=$(sed -E "s/.* $1 ([0-9]+).*/\1/" out)
    [ "$count" -ge "$2" ] && [ "$count" -le "$3" ] || { cat out >&2; fail "$1: not $2 to $3"; }
}
sim "$programs/datagrams.js" 0.3 0 0 >out
within lost 30 90
within doubled 0 0
sim "$programs/datagrams.js" 0 0.3 0 >out
within doubled 30 90
within lost 0 0
sim "$programs/datagrams.js" 0 0 0.3 >out
within overtaken 10 90
within lost 0 0
sim "$programs/datagrams.js" 1 0 0 >out
within lost 200 200
