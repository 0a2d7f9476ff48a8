#!/usr/bin/env bash
# Limits of virtual and real time, and a world in which nothing can happen any more.
. sim/tests/world.bash
needs_runtime
ended() { # ended TEXT ARGUMENTS...: status 86, and the reason
    local text=$1 status=0
    shift
    sim "$@" >out 2>err || status=$?
    [ $status = 86 ] || { cat out err >&2; fail "phasor sim $*: status $status, not 86"; }
    says err "$text"
}
echo 'setInterval(() => {}, 1000)' >forever.js
ended 'the limit of virtual time has come (3600 s)' --limit 1h forever.js
echo 'for (;;);' >spin.js
ended 'longer than 1 s of real time' --real-limit 1s spin.js
echo "require('net').createServer().listen(80)" >deadlock.js
ended 'nothing can happen any more' deadlock.js
echo "require('phasor:sim').fail('as planned')" >fails.js
ended 'as planned' fails.js

# What a program says and how it ends stays its own.
cat >status.js <<END
process.stdout.write('out');
process.stderr.write('err');
process.exitCode = 7;
END
status=0
sim status.js >out 2>err || status=$?
[ "$status $(cat out) $(cat err)" = "7 out err" ] || fail "status $status, $(cat out err)"
status=0
echo 'process.abort()' >abort.js
(ulimit -c 0; sim abort.js >out 2>err) || status=$?
[ $status = 134 ] || fail "status $status after a signal"
