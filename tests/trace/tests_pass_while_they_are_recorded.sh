#!/usr/bin/env bash
# The behaviour tests are programs of all kinds: recorded, each still passes, and what it leaves
# behind is a sound recording.
. tests/trace/common.bash
unset LD_LIBRARY_PATH
[ "$sanitizer" != thread ] || skip "the sanitizer does not know threads in forked children"
python3 -B "$source/tests/trace/recorded_tests.py" "$build" "$sanitizer"
