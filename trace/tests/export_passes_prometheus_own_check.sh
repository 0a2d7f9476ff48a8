#!/usr/bin/env bash
# Prometheus' own tool finds nothing to say against the metrics.
. trace/tests/common.bash
command -v promtool >/dev/null || skip "there is no promtool"
"$build/tests/trace/long" file 100000 2 >/dev/null
PHASOR_TRACE=other "$program" names >/dev/null
for recording in file other; do
    "$phasor" export "$recording" --prometheus metrics
    promtool check metrics <metrics >out 2>&1 || fail "$(cat out)"
    [ ! -s out ] || fail "$(cat out)"
done
