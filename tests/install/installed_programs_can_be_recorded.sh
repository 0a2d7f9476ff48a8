#!/usr/bin/env bash
# The recorder is found beside the installed library, also in a moved tree; a static program has it
# inside with what pkg-config says.
. tests/install/prefix.bash
[ -x "$prefix/bin/phasor" ] || { echo "skipped: no phasor in this build"; exit 77; }
cat >"$program" <<'END'
#include <uv.h>
static void on_timer(uv_timer_t* timer) {
    uv_close((uv_handle_t*)timer, NULL);
}
int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
END
export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_LIBDIR=$libdir/pkgconfig
gcc -g "$program" -o "$temp/shared" $(pkg-config --cflags --libs libuv)
gcc -g "$program" -o "$temp/static" $(pkg-config --cflags --libs libuv-static phasor-trace-static)
gcc -g "$program" -o "$temp/plain" $(pkg-config --cflags --libs libuv-static)
[ -z "$(loads "$temp/static")" ] || fail "phasor-trace-static links with the shared library"
mv "$prefix" "$temp/moved"
moved=$temp/moved${libdir#"$prefix"}

recorded() { # recorded FILE: it has the timer's callback
    "$temp/moved/bin/phasor" report "$1" | grep -q on_timer || fail "$1 has no callback"
}
(cd / && PHASOR_TRACE=$temp/shared.trace LD_LIBRARY_PATH=$moved "$temp/shared")
recorded "$temp/shared.trace"
"$temp/moved/bin/phasor" trace -o "$temp/command.trace" "$temp/shared" >"$temp/said" 2>&1 ||
    fail "phasor trace: $(cat "$temp/said")"
recorded "$temp/command.trace"
PHASOR_TRACE=$temp/static.trace "$temp/static"
recorded "$temp/static.trace"

PHASOR_TRACE=$temp/plain.trace "$temp/plain" 2>"$temp/errors"
grep -q "there is no phasor/libphasor-trace.so" "$temp/errors" ||
    fail "a static program without the recorder does not say so"
