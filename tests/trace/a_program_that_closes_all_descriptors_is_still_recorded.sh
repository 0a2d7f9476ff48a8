#!/usr/bin/env bash
# A program that closes what it does not know, as daemons do, does not hit the recording; no file of
# its own gets anything, and it finds the descriptor numbers that it would find without recording.
. tests/trace/common.bash
[ "$sanitizer" != thread ] || skip "what the program does here is a race, on purpose"
"$program" closing >without
PHASOR_TRACE=file "$program" closing >with
diff without with || fail "recording shows"
says with "0 bytes of ours"
"$events" file >recorded
says recorded "iterations 1003"
