#!/usr/bin/env bash
# Without the library: epoll, poll, select, timers, blocking sockets and threads of a C program, and
# Python's own event loop. The same seed gives the same order, and hours pass at once.
. sim/tests/world.bash
program=$build/tests/sim_own_loop
for seed in 1 2 3; do
    sim --seed $seed --without call "$program" >expected 2>err
    [ ! -s err ] || { cat err >&2; fail "something of the outside was seen"; }
    [ "$(grep -c answered expected)" = 12 ] || { cat expected >&2; fail "answers are missing"; }
    says expected 'an hour later 1'
    says expected 'a day later 0'
    [ "$(grep -c 'timer 1' expected)" = 3 ] || { cat expected >&2; fail "timers are missing"; }
    for _ in 1 2 3; do
        sim --seed $seed --without call "$program" >out
        same expected out "another run of seed $seed differs"
    done
    mv expected seed-$seed
done
if cmp -s <(sed 's/^[^ ]* //' seed-2) <(sed 's/^[^ ]* //' seed-3); then
    fail "another seed gives the same order"
fi

# As hosts of one world, with a way between them.
cat >world.json <<END
{"hosts": [{"name": "one", "program": ["$program"]}, {"name": "two", "program": ["$program"]}]}
END
sim --seed 4 --without call world.json >expected
[ "$(grep -c answered expected)" = 24 ] || fail "answers of two hosts are missing"
sim --seed 4 --without call world.json >out
same expected out "another run of two hosts differs"

python=$(command -v python3) || exit 0
sim --seed 5 -- "$python" "$programs/plain.py" >expected 2>err
[ ! -s err ] || { cat err >&2; fail "Python saw something of the outside"; }
says expected 'D 2'
says expected 'the event came True'
for _ in 1 2 3; do
    sim --seed 5 -- "$python" "$programs/plain.py" >out
    same expected out "another run of Python differs"
done

# Two processes, one of which has threads: whoever moves the world, the order is the same.
cat >world.json <<END
{"hosts": [{"name": "server", "program": ["$python", "$programs/names.py", "serve"]},
           {"name": "client", "program": ["$python", "$programs/names.py"]}],
 "done": ["client"]}
END
sim --seed 2 world.json >expected 2>err
[ ! -s err ] || { cat err >&2; fail "names came from outside"; }
says expected '10.77.0.1 127.0.0.1'
says expected 'server localhost'
says expected 'nobody True'
says expected 'answer 2'
for _ in 1 2 3 4 5 6 7 8; do
    sim --seed 2 world.json >out
    same expected out "another run of two processes in Python differs"
done
