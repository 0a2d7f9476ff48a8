# The sentence of a step is true where a program is unlike the lessons: what came first, who made
# what, what still waits, and what has ended.
. "$(dirname "$0")/common.bash"

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
order script script-waits print print loop phase-3-empty
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

# The script has not run to its last line: an error has left it, or it waits.
cat >error.js <<'END'
process.nextTick(function never() {});
throw new Error('no');
setTimeout(() => {}, 0);
END
steps error.js >steps.txt
never '^script-end '
order script threw exit
says 'tick-new .*: Line 1 puts the tick of line 1 into the tick queue\.'
cat >awaits.mjs <<'END'
const timer = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await timer(5);
console.log('later');
END
steps awaits.mjs >steps.txt
never '^script-end '
order script script-waits timer-run print
says 'timer-new .*: Line 1 sets a timer: the timer of line 1 is due in 5 ms, at .*'
says 'job-first .*: the rest of the script\.'
cat >unhandled.js <<'END'
Promise.reject(new Error('no'));
END
steps unhandled.js >steps.txt
[[ $(cut -d ' ' -f 1 steps.txt | tr '\n' ' ') == *'script-end rejected print '* ]] ||
    fail "the rejection is not told after the script: $(cat steps.txt)"

# Poll does not wait for what is there; and what the loop's clock does not count is no lateness.
cat >ready.js <<'END'
const { port1, port2 } = new MessageChannel();
port2.onmessage = function onMessage() {
  port2.close();
  setTimeout(function timer() {}, 5);
};
port1.postMessage('one');
END
steps ready.js >steps.txt
order no-wait-ready no-wait-ready wait timer-run
says 'imm-new-own .*: The runtime queues an immediate: a step of the runtime .*'
says 'timer-run .*: The timers phase runs timer, which was due at 7 ms\.'

# Another timer may be due while one runs: there is a timer, and poll does not wait for it.
cat >overdue.js <<'END'
setTimeout(function late() {}, 100);
setTimeout(function work() {
  const end = Date.now() + 20;
  while (Date.now() < end);
}, 90);
END
steps overdue.js >steps.txt
says 'wait-due .*: late is due already, .*'
never '^wait-ever '

# A function without a name is where it begins, and a name is not changed.
cat >names.js <<'END'
setTimeout(() => {
  const one = 1;
  console.log(one);
}, 5);
setTimeout(function a() {}, 5);
END
steps names.js >steps.txt
says 'timer-run .*: The timers phase runs the function in line 1, which was due at 5 ms\.'
says 'return -: The function in line 1 has returned\.'
says 'return -: a has returned\.'

# What is written without an end of its line is seen when it is written, without a terminal's codes.
cat >parts.js <<'END'
process.stdout.write('\x1b[31mone');
setTimeout(() => process.stdout.write(', two\x1b[0m\n'), 2000);
END
steps parts.js >steps.txt
order print loop turn turn print
says 'print -: Prints: one'
says 'print -: Prints: , two'

# An interval is set again by the loop, in the name of who set it.
cat >interval.js <<'END'
let count = 0;
const interval = setInterval(function every() { if (++count === 2) clearInterval(interval); }, 10);
END
steps interval.js >steps.txt
says 'timer-again .*: The interval is set again: every is due at 20 ms\.'
never 'timer-new-own'

# What the pool does has the same name everywhere.
cat >pool.js <<'END'
require('fs').readFile(__filename, () => {});
require('zlib').gzip('text', () => {});
END
steps pool.js >steps.txt
says 'req-new .*: Line 2 asks the system: zlib\. .*'
says 'pool-queued .* so fs open (line 1) goes to the pool\.'
says 'pool-queued .* so readFile goes to the pool\.'
never ' work'

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
