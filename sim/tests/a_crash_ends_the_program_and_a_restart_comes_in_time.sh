#!/usr/bin/env bash
# Whichever thread of the program moves the world at that moment, and whoever else lives.
. sim/tests/world.bash
needs_runtime
cat >world.json <<END
{
  "hosts": [{"name": "server", "program": ["$programs/crashing.js"]}],
  "happenings": [{"at": "300ms", "crash": "server"}, {"at": "5s", "restart": "server"}]
}
END
printf 'start 1\nstart 2\nafter 5 s\n' >expected
for seed in $(seq 12); do
    rm -f starts
    sim --kind --seed "$seed" --real-limit 60s world.json >out
    same expected out "alone, seed $seed"
done

# The others are idle: they do not hold the restart back.
cat >idle.js <<'END'
setTimeout(() => {}, 48000);
END
cat >world.json <<END
{
  "hosts": [{"name": "server", "program": ["$programs/crashing.js"]},
            {"name": "idle", "program": ["idle.js"]}],
  "happenings": [{"at": "300ms", "crash": "server"}, {"at": "2s", "restart": "server"}]
}
END
printf 'start 1\nstart 2\nafter 2 s\n' >expected
for seed in $(seq 6); do
    rm -f starts
    sim --kind --seed "$seed" --real-limit 60s world.json >out
    same expected out "beside an idle host, seed $seed"
done

# The world is over when the hosts are that it waits for.
cat >listens.js <<'END'
require('net').createServer(() => {}).listen(80);
END
cat >world.json <<END
{
  "hosts": [{"name": "server", "program": ["listens.js"]},
            {"name": "idle", "program": ["idle.js"]}],
  "done": ["idle"]
}
END
sim world.json >out 2>err || { cat err >&2; fail "a world that is done fails"; }
