# The sentence of a step is true where a program is unlike the lessons: what came first, who made
# what, what still waits, and what has ended.
. "$(dirname "$0")/common.bash"

says() { # says PATTERN: one of the steps, as a whole line
    grep -qx -- "$1" steps.txt || fail "no step says: $1
$(cat steps.txt)"
}

never() { # never PATTERN: no step
    ! grep -q -- "$1" steps.txt || fail "a step says: $1
$(cat steps.txt)"
}

order() { # order KEY...: the steps with these keys, in their order
    got=$(awk -v keys=" $* " '{ if (index(keys, " " $1 " ")) printf "%s ", $1 }' steps.txt)
    [ "$got" = "$* " ] || fail "the order is $got
$(cat steps.txt)"
}

# No order is said to be chance where there is but one.
cat >timers.js <<'END'
setTimeout(function a() { setImmediate(function late() { console.log('late'); }); }, 0);
setTimeout(function b() { console.log('b'); }, 0);
END
steps timers.js >steps.txt
never '-race '
cat >immediates.js <<'END'
setImmediate(function one() { setTimeout(function timer() { console.log('timer'); }, 0); });
setImmediate(function two() { console.log('two'); });
END
steps immediates.js >steps.txt
never '-race '

# The second of two does not run first.
cat >poll.js <<'END'
require('fs').stat('.', function onStat() {
  setImmediate(function one() {});
  setImmediate(function two() { console.log('two'); });
});
END
steps poll.js >steps.txt
order imm-after-poll imm-run

# Microtasks are not said to run because no tick waits, while one does.
cat >both.js <<'END'
process.nextTick(function t1() {
  Promise.resolve().then(function j1() {
    process.nextTick(function t3() { console.log('t3'); });
    Promise.resolve().then(function j2() { console.log('j2'); });
  });
});
process.nextTick(function t2() { console.log('t2'); });
END
steps both.js >steps.txt
order tick-first tick-run job-first job-run tick-after-jobs
says 'tick-after-jobs .* All microtasks have run\. .*: t3 runs\.'

# Nothing follows process.exit, and nobody returns from it.
cat >exit.js <<'END'
setTimeout(function timer() { process.exit(3); }, 5);
setTimeout(function never() { console.log('never'); }, 6);
END
steps exit.js timer >steps.txt
[ "$(tail -n 1 steps.txt | cut -d ' ' -f 1)" = exit ] || fail "something follows the exit:
$(cat steps.txt)"
never 'timer has returned'

# A rejection is told of when the script has ended.
cat >rejection.js <<'END'
process.on('unhandledRejection', function onRejection() { console.log('unhandled'); });
Promise.reject(new Error('no'));
END
steps rejection.js >steps.txt
order script script-end print loop

# A module is a script, too, although the runtime's loop turns while it is loaded.
cat >module.mjs <<'END'
process.nextTick(function tick() { console.log('tick'); });
await 1;
console.log('module');
END
steps module.mjs >steps.txt
order script script-end print print loop phase-3-empty
says 'line -: Line 1 runs\.'

# Who wakes whom: this thread itself, or another.
cat >channel.js <<'END'
const { port1, port2 } = new MessageChannel();
port2.onmessage = function onMessage() { port2.onmessage = null; };
port1.postMessage('one');
END
steps channel.js >steps.txt
says 'send-self poll: The program wakes its own loop: .*'
never '^send '

# What a worker has done on the pool is not left among what is ready.
cat >worker.js <<'END'
const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) new Worker(__filename);
else require('fs').readFile(__filename, () => {});
END
steps worker.js done >steps.txt
says 'pool-ends .*'
! tail -n 1 steps.txt | grep -q '\]$' || fail "something is left: $(tail -n 1 steps.txt)"

# The runtime's own steps have no line.
cat >streams.js <<'END'
const { Readable, Transform, pipeline } = require('stream');
pipeline(Readable.from(['a', 'b']), new Transform({
  transform(chunk, encoding, done) { done(null, chunk); },
}), process.stdout, function finished() {});
END
steps streams.js >steps.txt
never 'Line 0 '
says 'tick-new-own .*'
