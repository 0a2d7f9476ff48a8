#!/usr/bin/env bash
# A node that has libuv built in, and exports it, is recorded all the same; it prints and ends as it
# does alone. Where that is not possible one sentence says why, and what to do instead.
. trace/tests/common.bash
unset LD_LIBRARY_PATH
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
compiler=${CC:-gcc}

# A libuv that is newer than ours, and one that has more: the programs run as they are.
cat >newer.c <<'CODE'
unsigned uv_version(void) { return 1 << 16 | 99 << 8; }
unsigned long uv_loop_size(void) { return 1; }
int uv_run(void) { return 4; }
int main(void) { return uv_run(); }
CODE
"$compiler" -rdynamic newer.c -o newer
expect 4 "$phasor" trace ./newer
says err "./newer has libuv built in, and its libuv is version 1.99, newer than ours"
says err "run the program with a node that loads libuv.so.1, such as Debian's nodejs"
sed 's/uv_loop_size/uv_has_this_too/' newer.c >more.c
"$compiler" -rdynamic more.c -o more
expect 4 "$phasor" trace ./more
says err "its libuv has uv_has_this_too, which ours has not"
ls ./*.why 2>/dev/null && fail "something was left behind"

node=$(command -v node) || skip "there is no node"
nm -D "$node" | grep ' T uv_run' >/dev/null || skip "this node has no libuv inside"

mkdir plain traced
export PORT=$((20000 + $$ % 10000)) CLIENT_LIBRARY=$PWD/loaded TMPDIR=$PWD
(cd plain && expect 0 "$node" "$source/lib/tests/clients/node.js")
(cd traced && expect 0 "$phasor" trace "$node" "$source/lib/tests/clients/node.js")
cmp plain/out traced/out || fail "node prints something else when it is recorded"
grep -v '^phasor trace: ' traced/err >rest || true
cmp rest plain/err || fail "$(cat traced/err)"
says loaded "$build/lib/libuv.so.1"
"$events" traced/phasor.trace left >/dev/null || fail "the recording is not consistent"
"$phasor" report --json traced/phasor.trace >report.json
python3 -c 'import json
loop = json.load(open("report.json"))["loops"][0]
assert loop["iterations"] > 10 and loop["callbacks"] > 50, loop'

# Through a script's first line, with its status, and its children with it.
cat >script <<'CODE'
#!/usr/bin/env node
if (process.argv[2] === 'child') setTimeout(() => process.exit(0), 5);
else require('child_process').fork(__filename, ['child']).on('exit', () => process.exit(3));
CODE
chmod +x script
expect 3 "$phasor" trace -o s.trace ./script
[ "$(ls s.trace s.trace.[0-9]* | wc -l)" = 2 ] || fail "the child was not recorded: $(cat err)"

# Through what only starts it: the script of a container, and who limits its time.
printf '#!/bin/sh\nexec timeout 100 "$@"\n' >entry
chmod +x entry
expect 4 "$phasor" trace -o e.trace ./entry "$node" -e 'setTimeout(() => process.exit(4), 5)'
[ "$(ls e.trace*)" = e.trace ] || fail "the program was not recorded: $(cat err)"
expect 4 "$phasor" trace -o f.trace sh -c ./newer
says err "newer has libuv built in, and its libuv is version 1.99, newer than ours"
