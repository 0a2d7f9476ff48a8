#!/usr/bin/env bash
# A forked child that goes on with the loop and a program that was started have their own files.
. trace/tests/common.bash
unset LD_LIBRARY_PATH
iterations() { "$events" "$1" | awk '$1 == "iterations" { print $2 }'; }

if [ "$sanitizer" != thread ]; then # which does not know threads in forked children
    expect 0 "$phasor" trace -o forked -- "$program" fork
    [ "$(grep -c "recorded process" err)" = 2 ] || fail "$(cat err)"
    [ "$(iterations forked)" = 7 ] || fail "parent: $(iterations forked)"
    [ "$(iterations forked.*)" = 5 ] || fail "child: $(iterations forked.*)"
fi

expect 0 "$phasor" trace -o spawned -- "$program" spawn
[ "$(grep -c "recorded process" err)" = 2 ] || fail "$(cat err)"
[ "$(iterations spawned.*)" = 7 ] || fail "child: $(iterations spawned.*)"
says out "child ended with 0, 0"

# One after the other, neither of them the program itself; nothing of an earlier run is left.
expect 0 "$phasor" trace -o spawned -- sh -c '"$0" turns 3 && "$0" turns 4' "$program"
[ "$(iterations spawned)" = 3 ] || fail "first: $(iterations spawned)"
[ "$(grep -c "recorded process" err)" = 2 ] || fail "$(cat err)"

# One process that becomes three programs.
expect 0 "$phasor" trace -o became -- "$program" turns 3 "$program" turns 4 "$program" turns 5
[ "$(grep -c "recorded process" err)" = 3 ] || fail "$(cat err)"
turned=$(for file in became*; do iterations "$file"; done | sort | tr '\n' ' ')
[ "$turned" = "3 4 5 " ] || fail "$turned"

# By hand: the child finds the file locked.
LD_LIBRARY_PATH=$build/lib PHASOR_TRACE=hand "$program" spawn >/dev/null
[ "$(iterations hand.*)" = 7 ] || fail "child: $(ls)"
