#!/usr/bin/env bash
# It prints the command that repeats it, which has only the faults that are needed, and a recording.
. sim/tests/world.bash
needs_runtime
status=0
sim --seeds 200 --jobs 2 --faults disk:0.05,call:0.05 "$programs/planted.js" >out 2>err || status=$?
[ $status = 1 ] || { cat err >&2; fail "status $status, not 1"; }
says err 'a write was lost'
command=$(sed -n 's/^phasor sim: again: //p' err)
case $command in *--faults*) fail "faults by chance are left: $command" ;; esac
[ -s phasor-sim.trace ] || fail "no recording"
"$phasor" report phasor-sim.trace >report
for i in 1 2 3; do
    status=0
    (PATH=$build/bin:$PATH && eval "timeout 300 $command" >again 2>&1 </dev/null) || status=$?
    [ $status != 0 ] || fail "the command does not repeat it: $command"
    says again 'a write was lost'
done

# The same for programs.
status=0
sim --seeds 200 --faults disk:0.05 --json "$programs/planted.js" >out.json 2>err || status=$?
[ $status = 1 ] || fail "status $status with --json"
sim --seeds 200 --faults disk:0.05 --json --no-shrink "$programs/planted.js" >whole.json || true
python3 - <<END
import json
found = json.load(open('out.json'))
assert found['failed'] is True and found['seed'] >= 1 and found['status'] == 1, found
assert found['command'].startswith('phasor sim --seed %d ' % found['seed']), found
whole = json.load(open('whole.json'))
assert whole['seed'] == found['seed'] and '--faults' in whole['command'], whole
assert 2 <= found['log'].count('fault') < whole['log'].count('fault'), (found, whole)
END

# Nothing to be found without faults.
sim --seeds 20 "$programs/planted.js" >out
echo '20 worlds, none failed (seeds 1 to 20)' >expected
same expected out "a search that finds nothing"
sim --seeds 3 --seed 7 --json "$programs/planted.js" >out.json
python3 -c "
import json
found = json.load(open('out.json'))
assert found['failed'] is False and found['tried'] == 3, found"
sim --json "$programs/planted.js" >out.json
python3 -c "import json; assert json.load(open('out.json'))['virtualNs'] >= 3600 * 10**9"
