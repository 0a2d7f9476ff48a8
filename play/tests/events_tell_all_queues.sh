# What is queued and what runs is told in its order: ticks, microtasks, timers, immediates, and the
# pool. The runtime has ticks of its own when it starts.
. "$(dirname "$0")/common.bash"

cat >program.js <<'END'
const fs = require('fs');
setTimeout(function timeout() { console.log('timeout'); }, 3600000);
setImmediate(function immediate() { console.log('immediate'); });
Promise.resolve().then(function promise() { console.log('promise'); });
process.nextTick(function tick() { console.log('tick'); });
fs.stat(__filename, function onStat() { console.log('stat'); });
console.log('script');
END
play program.js --events >events.txt
got=$(kinds timer+ imm+ job+ tick+ submit tick job tick. job. out loop)
case $got in
*"timer+ imm+ job+ tick+ submit out "*"tick out tick. job out job. loop "*) ;;
*) fail "the script's queues are told as: $got" ;;
esac
got=$(kinds imm work work. timer beforeExit exit)
case $got in
*"beforeExit exit") ;;
*) fail "the end is told as: $got" ;;
esac
got=$(kinds submit work work.)
[ "$got" = "submit work work." ] || fail "the pool is told as: $got"
grep -q '"at",\["tick",5,"program.js"\]' events.txt || fail "the line of the tick is not told"
grep -q '"at",\["Object.<anonymous>",6,"program.js"\]' events.txt || fail "no line of the request"
# An hour of virtual time.
[ "$(grep '"timer",' events.txt | sed 's/^\[\([0-9]*\),.*/\1/' | cut -c 1-4)" = 3600 ] ||
    fail "the timer did not run after an hour"
