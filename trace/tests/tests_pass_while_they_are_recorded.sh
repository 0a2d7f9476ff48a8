#!/usr/bin/env bash
# The behaviour tests are programs of all kinds: recorded, each still passes, and what it leaves
# behind is a sound recording.
. trace/tests/common.bash
unset LD_LIBRARY_PATH
[ "$sanitizer" != thread ] || skip "the sanitizer does not know threads in forked children"
python3 -B "$source/trace/tests/recorded_tests.py" "$build" "$sanitizer"
