#!/usr/bin/env bash
# A script prints and ends as it does without the tracer, and nothing of the recording is lost.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
ulimit -c 0

# same NAME STATUS CODE: the script, with and without the tracer
same() {
    local status=0 traced=0
    printf '%s\n' "$3" >"$1.js"
    "$phasor" "$1.js" an argument >plain.out 2>plain.err || status=$?
    "$phasor" trace -o "$1.trace" "$1.js" an argument >out 2>err || traced=$?
    [ $status = "$2" ] || fail "$1 ends with $status without the tracer: $(cat plain.err)"
    [ $traced = "$2" ] || fail "$1 ends with $traced when it is recorded: $(cat err)"
    cmp plain.out out || fail "$1 prints something else"
    sed '/^phasor trace: /d' err | diff plain.err - || fail "$1 complains differently"
}

same done 0 'setTimeout(function last() { console.log(process.argv.slice(2)); }, 5);'
same exit 3 'setTimeout(function last() { console.log("so far"); process.exit(3); }, 5);'
same code 4 'process.exitCode = 4; process.on("exit", function last() { console.log("end"); });'
same uncaught 1 'setImmediate(function last() { throw new Error("nobody catches this"); });'
same rejected 1 'setTimeout(async function last() { await null; throw new Error("nor this"); }, 1);'
same abort 134 'setTimeout(function last() { process.abort(); }, 5);'
same killed 143 'setTimeout(function last() { setTimeout(function dies() {
    process.kill(process.pid, "SIGTERM"); }, 300); }, 5);'
for name in 'done' 'exit' code uncaught rejected abort; do
    expect_json "$name.trace" "report['status'] == 'complete'"
done
for name in 'done' 'exit' code uncaught rejected abort killed; do
    expect_json "$name.trace" "any('last' in name for kind, name in rows)"
done

# Up to the very last call before the end.
cat >many.js <<'END'
let left = 20000;
setImmediate(function turn() {
  for (let i = 0; i < 100; i++) process.nextTick(function tick() { left--; });
  if (left <= 100) setTimeout(function last() { process.exit(0); }, 0);
  else setImmediate(turn);
});
END
# On a busy machine the writer may not get its turn in time, and the recording says so.
for _ in 1 2 3 4 5; do
    expect 0 "$phasor" trace -o many many.js
    "$phasor" report many --json | grep -q '"lost": 0,' && break
done
expect_json many "report['lost'] > 0 or report['loops'][0]['ticks'] == 20000"
expect_json many "report['lost'] > 0 or ('callback', 'timer callback last (many.js:4)') in rows"

# Not a script: what is not there, and what only looks like one.
expect 127 "$phasor" trace missing.js
mkdir folder.js
expect 126 "$phasor" trace ./folder.js
expect 0 "$phasor" --help
for command in trace report top attach; do
    grep -q "^  $command " out || fail "--help does not tell of $command"
done
