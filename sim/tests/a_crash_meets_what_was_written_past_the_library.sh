#!/usr/bin/env bash
# By stdio, write(2), mappings and names relative to folders; what O_SYNC or O_DSYNC has written
# lasts, and nothing else.
. sim/tests/world.bash
[ -x "$build/tests/sim_disk" ] || fail "there is no $build/tests/sim_disk"
cat >world.json <<END
{
  "hosts": [{"name": "server", "program": ["$build/tests/sim_disk"]}],
  "happenings": [{"at": "1s", "crash": "server"}, {"at": "2s", "restart": "server"}]
}
END
printf old >old
printf moved >moved-from
printf back >removed
printf kept >kept
printf -- '-%.0s' {1..8192} >mapped
sim --kind world.json >out
cat >expected <<'END'
mapped a-
stdio is not there
stdio-synced stdio.
write is not there
sync sync.
dsync dsync.
old old.
moved-from moved.
moved-to is not there
removed back.
linked is not there
in-folder is not there
END
same expected <(head -n 12 out) "what a crash leaves"
# Zeros where the unsynced bytes were.
tail -n 1 out | tr '\0' 0 | grep -q '^half 000000000synced\.$' || fail "$(tail -n 1 out | od -c)"

# A full disk is met by stdio, too.
sim --unkind full:1 "$build/tests/sim_disk" full >out
says out 'full: closed 1, flushed 1'
