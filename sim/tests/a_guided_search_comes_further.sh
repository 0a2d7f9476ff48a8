#!/usr/bin/env bash
# A state that ten throws in a row lead to: worlds that came far are varied from where they were,
# and the command repeats what was found. In C the compiler says where the program was.
. sim/tests/world.bash
needs_runtime
cat >deep.js <<'CODE'
const sim = require('phasor:sim');
let level = 0;
let rounds = 0;
function step() {
  level = sim.random(3) === 0 ? level + 1 : 0;
  sim.reached(`level ${level}`);
  if (level === 10) throw new Error('ten in a row');
  if (++rounds < 40) setTimeout(step, 10);
}
setTimeout(step, 10);
CODE
status=0
sim --guided --seeds 2000 --jobs 1 --no-shrink --json deep.js >result 2>err || status=$?
[ $status = 1 ] || { cat result err >&2; fail "nothing was found: status $status"; }
says result '--branch '
tried=$(sed 's/.*"tried":\([0-9]*\),.*/\1/' result)
[ "$tried" -lt 1000 ] || fail "it took $tried worlds"
command=$(sed 's/.*"command":"\([^"]*\)".*/\1/' result)
for _ in 1 2 3; do
    status=0
    (PATH=$build/bin:$PATH && eval "$command" >out 2>&1 </dev/null) || status=$?
    [ $status = 1 ] || { cat out >&2; fail "the command does not repeat it: $command"; }
    says out 'ten in a row'
done

# The corpus keeps how it was varied, and the next search begins with it.
sim --guided --seeds 2000 --jobs 1 --no-shrink --corpus seeds deep.js >out 2>err || true
grep -E '^seed [0-9]+ [0-9]+:[0-9]+.* # ' seeds >/dev/null ||
    { cat seeds >&2; fail "the corpus does not have how it was varied"; }
status=0
sim --seeds 1 --jobs 1 --no-shrink --corpus seeds --json deep.js >result 2>err || status=$?
[ $status = 1 ] || { cat result err >&2; fail "the corpus does not fail again"; }
says result '"tried":1,'

cat >places.c <<'CODE'
#include <phasor.h>
#include <uv.h>
PHASOR_SIM_COVERAGE
static void done(uv_timer_t* timer) { (void)timer; }
int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, done, 5, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
CODE
if "${CC:-gcc}" -fsanitize-coverage=trace-pc -I"$here/../../lib/include" places.c -o places \
    -L"$build/lib" -Wl,-rpath,"$build/lib",--enable-new-dtags -l:libuv.so.1 2>compiler.err; then
    ./places || fail "outside of the world it fails"
    sim --guided --seeds 5 ./places >out 2>err || { cat err >&2; fail "places.c fails"; }
    grep -E '[1-9][0-9]* edges' err >/dev/null || { cat err >&2; fail "C tells no edges"; }
fi
sim --guided --seeds 5 -- sh -c 'exec sleep 1' >out 2>err || { cat err >&2; fail "sleep fails"; }
says err 'nothing told where it was'
refused 'is no list of branches' --branch 12 deep.js
refused 'is no list of branches' --branch 12:1,3:4 deep.js
