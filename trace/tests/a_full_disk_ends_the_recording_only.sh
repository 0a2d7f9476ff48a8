#!/usr/bin/env bash
# The program goes on and ends as it would; the file says what happened, and is readable.
. trace/tests/common.bash
unset LD_LIBRARY_PATH
is_full() { # is_full FILE
    "$phasor" report "$1" >out 2>/dev/null || true
    grep -q "could not be written: File too large" out
}
now() { date +%s%N; }

began=$(now)
(
    ulimit -f 40 # blocks of 1024 bytes
    exec "$phasor" trace -o file "$program" clock
) >said 2>err &
children+=($!)
wait_for 100 is_full file
sleep 1
lasted=$(($(now) - began))
kill -TERM $!
status=0
wait $! || status=$?
[ $status = 1 ] || fail "ended with $status: $(cat err)"
says err "ended early: File too large"
says said ticking
[ "$(stat -c %s file)" -le 40960 ] || fail "$(stat -c %s file) bytes"
"$events" file cut >/dev/null
expect 0 "$phasor" report file
says out "could not be written: File too large"
# The last turn ends with the recording, not with the program, which went on for a second.
expect 0 "$phasor" report file --json
python3 -c 'import json, sys
duration = json.load(open("out"))["duration"]
assert duration < int(sys.argv[1]) - 1e9, duration' "$lasted"

# A program that is killed later can't say it any more. Nothing is known of the time in between.
(
    ulimit -f 40
    LD_LIBRARY_PATH=$build/lib PHASOR_TRACE=killed exec "$program" clock
) >/dev/null 2>&1 &
children+=($!)
wait_for 100 is_full killed
kill -9 $!
wait $! 2>/dev/null || true
expect 0 "$phasor" report killed
says out "could not be written: File too large"
expect 0 "$phasor" report killed --json
python3 - <<'END'
import json
report = json.load(open("out"))
assert report["status"] == "failed" and report["loops"][0]["utilisation"] < 0.5, report
END

# By hand, where there is nobody else to say so.
for place in /dev/full /no/such/folder/file .; do
    LD_LIBRARY_PATH=$build/lib PHASOR_TRACE=$place expect 0 "$program" turns 3
    says err "phasor: can't record in $place: "
done

# A disk that is full, or becomes so.
if [ -z "$sanitizer" ] && unshare --mount mount -t tmpfs -o size=48k none "$temp" 2>/dev/null; then
    export phasor program events build
    export -f says fail
    mkdir small
    unshare --mount bash -euc '
        mount -t tmpfs -o size=48k none small
        cd small
        status=0
        "$phasor" trace -o file "$program" clock 1500 >../out 2>../err || status=$?
        [ $status = 1 ] || fail "ended with $status"
        says ../err "ended early: No space left on device"
        "$events" file cut >/dev/null
        "$phasor" report file >../out
        says ../out "could not be written: No space left on device"
        rm file
        PHASOR_TRACE=killed LD_LIBRARY_PATH=$build/lib "$program" clock >/dev/null 2>&1 &
        for ((i = 0; i < 300; i++)); do
            sleep 0.2
            "$phasor" report killed >../out 2>&1 && grep -q "could not be written" ../out && break
        done
        kill -9 $!
        wait $! || true
        "$phasor" report killed >../out
        says ../out "could not be written: No space left on device"
        memory=$(grep -a "^memory=" killed | cut -d= -f2)
        [ -z "$memory" ] || [ ! -e "/dev/shm/$memory" ] || fail "$memory is left in memory"
        dd if=/dev/zero of=rest bs=1k status=none 2>/dev/null || true
        status=0
        "$phasor" trace -o other "$program" turns 3 >../out 2>../err || status=$?
        [ $status = 1 ] || fail "ended with $status"
        says ../err "other: No space left on device"
        [ ! -e other ] || fail "an empty file was left behind"'
fi
