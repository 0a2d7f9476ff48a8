#!/usr/bin/env bash
# About 30 ns on an idle machine, and most of it is the clock; on a busy one, many times that.
. tests/trace/common.bash
[ -z "$sanitizer" ] || skip "sanitizers have their own price"
cost=$(PHASOR_TRACE=file "$program" cost)
echo "$cost ns"
python3 -c "import sys; sys.exit(not 1 < float('$cost') < 1000)" || fail "$cost ns per event"
