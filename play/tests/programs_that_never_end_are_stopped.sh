# A program that never ends, or prints without end, is stopped and says why; what it did is told.
. "$(dirname "$0")/common.bash"

stopped() { # stopped WHY CODE
    echo "$2" >program.js
    play program.js --events >events.txt
    grep -q "\"stop\",\"$1\"" events.txt || fail "$2: $(tail -n 3 events.txt)"
}
stopped events 'setInterval(function beat() { Math.random(); }, 1000);'
stopped events '(function again() { process.nextTick(again); })();'
stopped events '(async () => { for (;;) await null; })();'
stopped events 'setImmediate(function again() { setImmediate(again); });'
stopped output "for (;;) console.log('x'.repeat(3000));"
stopped time 'for (;;);'
stopped time 'let n = 0; while (true) { n++; }'
stopped time 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);'
echo 'const all = []; for (;;) all.push(Buffer.alloc(100000000, 1));' >program.js
play program.js --events >events.txt
grep -q 'allocation failed' events.txt || fail "it has more memory than it should"

# Its files are below a folder of its own.
echo 'require("fs").readFileSync("/etc/passwd"); console.log("read");' >program.js
play program.js --events >events.txt
grep -q ERR_ACCESS_DENIED events.txt || fail "it could read outside of its folder"
echo 'require("child_process").spawn("true");' >program.js
play program.js --events >events.txt
grep -q ERR_ACCESS_DENIED events.txt || fail "it could start another program"
