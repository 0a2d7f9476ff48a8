#!/usr/bin/env bash
# By stdio and by write(2); what was written with O_SYNC or O_DSYNC lasts, and nothing else.
. sim/tests/world.bash
[ -x "$build/tests/sim_disk" ] || fail "there is no $build/tests/sim_disk"
cat >world.json <<END
{
  "hosts": [{"name": "server", "program": ["$build/tests/sim_disk"]}],
  "happenings": [{"at": "1s", "crash": "server"}, {"at": "2s", "restart": "server"}]
}
END
printf old >old
sim --kind world.json >out
cat >expected <<'END'
stdio is not there
stdio-synced stdio.
write is not there
sync sync.
dsync dsync.
old old.
END
same expected <(head -n 6 out) "what a crash leaves"
# Zeros where the unsynced bytes were.
tail -n 1 out | tr '\0' 0 | grep -q '^half 000000000synced\.$' || fail "$(tail -n 1 out | od -c)"
