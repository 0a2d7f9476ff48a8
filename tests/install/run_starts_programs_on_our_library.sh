#!/usr/bin/env bash
# phasor run: the program, and what it starts, has our libuv.so.1; arguments, signals and the exit
# status are the program's own.
. tests/install/prefix.bash
[ -x "$prefix/bin/phasor" ] || { echo "skipped: no phasor in this build"; exit 77; }
mkdir "$temp/foreign"
echo 'const char* uv_version_string(void) { return "another"; }' >"$temp/foreign.c"
gcc -shared -fPIC -Wl,-soname,libuv.so.1 "$temp/foreign.c" -o "$temp/foreign/libuv.so.1"
cat >"$temp/program.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char* uv_version_string(void);
int main(int argc, char** argv) {
    for (int i = 1; i < argc; i++)
        printf("%s\n", argv[i]);
    printf("%s\n", uv_version_string());
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    return argc;
}
END
gcc "$temp/program.c" -o "$temp/program" "$temp/foreign/libuv.so.1"
run=("$prefix/bin/phasor" run)
# Whatever the environment names: a libuv there is the system's.
export LD_LIBRARY_PATH=$temp/foreign

# gives STATUS WHAT COMMAND...: it ends so, and prints (or says) what contains WHAT.
gives() {
    local wanted=$1 what=$2 status=0
    shift 2
    "$@" >"$temp/out" 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "$*: status $status, not $wanted: $(cat "$temp/out")"
    grep -qF -e "$what" "$temp/out" || fail "$*: no \"$what\": $(cat "$temp/out")"
}
gives 1 another "$temp/program"
gives 1 "$version" "${run[@]}" "$temp/program"
gives 1 "$version" "${run[@]}" -- "$temp/program"
gives 3 --help "${run[@]}" "$temp/program" "two words" --help
grep -qx "two words" "$temp/out" || fail "an argument was cut in two"
gives 1 "$version" "${run[@]}" sh -c "$temp/program" # a child
gives 1 "$version" env PATH="$temp:$PATH" "${run[@]}" program
gives 134 "$version" "${run[@]}" "$temp/program" abort
gives 127 "phasor run: no-such-program: no such program" "${run[@]}" no-such-program
gives 126 "not an executable file" "${run[@]}" "$temp/program.c"
gives 2 "which program?" "${run[@]}"
gives 2 "unknown option --fast" "${run[@]}" --fast "$temp/program"
gives 0 "Usage: phasor run" "${run[@]}" --help

# A libuv inside of the program that can't be replaced is told of.
cat >"$temp/newer.c" <<'END'
unsigned uv_version(void) { return 1 << 16 | 99 << 8; }
unsigned long uv_loop_size(void) { return 1; }
int uv_run(void) { return 4; }
int main(void) { return uv_run(); }
END
gcc -rdynamic "$temp/newer.c" -o "$temp/newer"
gives 4 "newer has libuv built in, and its libuv is version 1.99, newer than ours" \
    "${run[@]}" "$temp/newer"

# And one that can be, as in the official builds of Node, is.
node=$(command -v node || true)
if [ -n "$node" ] && nm -D "$node" 2>/dev/null | grep ' T uv_run' >/dev/null; then
    gives 0 "$prefix" "${run[@]}" node -p 'process.report.getReport().sharedObjects.join()'
fi

echo 'console.log(process.argv[2]); process.exitCode = 5' >"$temp/app.js"
if "$prefix/bin/phasor" -e 0 2>/dev/null; then
    gives 5 "an argument" "${run[@]}" "$temp/app.js" "an argument"
else
    gives 1 "this phasor has no JavaScript runtime" "${run[@]}" "$temp/app.js"
fi
