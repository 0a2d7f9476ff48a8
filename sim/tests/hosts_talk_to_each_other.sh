#!/usr/bin/env bash
# Two hosts in JavaScript, by name, over a link with a delay; the test looks on.
. sim/tests/world.bash
needs_runtime
sim --seed 4 "$programs/two_hosts.js" >out
cat >expected <<END
true 4 0 host
server answers /1 of 10.77.0.3
server answers /2 of 10.77.0.3
server answers /3 of 10.77.0.3
10.77.0.2 10.77.0.3 true true
null 10.77.0.2
END
sed -i 's/::ffff://' out
same expected out "what two hosts say"
