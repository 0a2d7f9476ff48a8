#!/usr/bin/env bash
# Each way of not running on our library has its own message, and never the status 0.
. trace/tests/common.bash
unset LD_LIBRARY_PATH
compiler=${CC:-gcc}
expect 127 "$phasor" trace no-such-program
says err "no-such-program: no such program"
touch plain
expect 126 "$phasor" trace ./plain
says err "./plain: not an executable file"
printf 'not a program\n' >odd
chmod +x odd
expect 126 "$phasor" trace ./odd
says err "Exec format error"
printf '#!/no/such/interpreter\n' >orphan
chmod +x orphan
expect 126 "$phasor" trace ./orphan
says err "./orphan: the interpreter or loader that it names is not there"
expect 127 "$phasor" trace ""
says err '"": no such program'
expect 1 "$phasor" trace -o "" true
says err "the name of the file is empty"
expect 1 "$phasor" trace -o . true
says err ".: is there already, and is not a trace file"
expect 1 "$phasor" trace /bin/true
says err "nothing was recorded: /bin/true does not load libuv.so.1"
expect 7 "$phasor" trace sh -c 'exit 7'
says err "nothing was recorded"
expect 1 "$phasor" trace "$program" nothing
says err "loaded our library, but never made a loop"
expect 2 "$phasor" trace
says err "which program?"
if ! "$phasor" --version >/dev/null 2>&1; then
    : >script.js
    expect 1 "$phasor" trace script.js
    says err "script.js: this phasor has no JavaScript runtime"
fi
expect 2 "$phasor" trace --nonsense true
says err "unknown option --nonsense"
expect 2 "$phasor" trace --limit 12 true
says err "not a limit"
expect 1 "$phasor" trace -o /no/such/folder/file true
says err "/no/such/folder/file: No such file or directory"
echo precious >mine
expect 1 "$phasor" trace -o mine "$program" turns 1
says err "mine: is there already, and is not a trace file"
[ "$(cat mine)" = precious ] || fail "the file is gone"
ls phasor.trace* 2>/dev/null && fail "something was left behind"

echo 'int uv_run; int main(void) { return 0; }' >one.c
if "$compiler" -static one.c -o static 2>/dev/null; then
    expect 1 "$phasor" trace ./static
    says err "./static is statically linked"
fi
"$compiler" -rdynamic one.c -o inside
expect 1 "$phasor" trace ./inside
says err "./inside has libuv built in"
printf '#!%s\n' "$PWD/inside" >script
chmod +x script
expect 1 "$phasor" trace ./script
says err "inside has libuv built in"

# A library that a path inside the program names comes first. The other one says so by its place.
mkdir other
cp "$build/lib/libuv.so.1" other/
"$compiler" -I"$source/lib/include" -x c - -o rpath -Lother -l:libuv.so.1 \
    -Wl,--disable-new-dtags,-rpath,"$PWD/other" <<'END'
#include <uv.h>
int main(void) { return uv_version() == 0; }
END
if [ -z "$sanitizer" ]; then
    expect 1 "$phasor" trace ./rpath
    says err "loads $PWD/other/libuv.so.1 instead"
fi

# The library without the recorder.
if [ -z "$sanitizer" ]; then
    mkdir -p alone/bin alone/lib
    cp "$phasor" alone/bin
    cp "$build/lib/libuv.so.1" alone/lib
    LD_LIBRARY_PATH=$PWD/alone/lib expect 1 alone/bin/phasor trace "$program" turns 3
    says err "the recorder, phasor/libphasor-trace.so beside $PWD/alone/lib/libuv.so.1,"
fi

if [ "$(id -u)" = 0 ] && [ -z "$sanitizer" ] && command -v setpriv >/dev/null; then
    chmod 755 "$temp"
    cp /bin/true setuid
    chmod 4755 setuid
    mkdir -m 777 theirs
    # Copies, since the build folder may be closed to others.
    cp "$phasor" "$build/lib/libuv.so.1" theirs
    cd theirs
    nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env "LD_LIBRARY_PATH=$PWD")
    "${nobody[@]}" ./phasor --help >/dev/null || skip "another user can't enter $temp"
    expect 1 "${nobody[@]}" ./phasor trace ../setuid
    says err "is set-user-id"
    cd ..
fi
