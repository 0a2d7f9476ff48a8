#!/usr/bin/env bash
# A request without a callback ends when it is done: in the recording, and on the page.
. trace/tests/common.bash
PHASOR_TRACE=file "$program" quiet
"$events" file >/dev/null
"$phasor" report --perfetto - file >events.json
for kind in 'write 3' 'shutdown 1' 'udp_send 2' 'connect 2' 'work 1'; do
    found=$(grep -c "\"done ${kind% *}\"" events.json) || true
    [ "$found" = "${kind#* }" ] || fail "$found ends of ${kind% *}, not ${kind#* }"
done
