#!/usr/bin/env bash
# Whatever LD_LIBRARY_PATH names: that is for the programs, and has another libuv in front.
. trace/tests/common.bash
mkdir foreign
compiler=${CC:-gcc}
command -v "$compiler" >/dev/null || skip "$compiler is not here"
echo 'int uv_run(void) { return 0; }' >one.c
"$compiler" -shared -fPIC -Wl,-soname,libuv.so.1 one.c -o foreign/libuv.so.1
export LD_LIBRARY_PATH=$temp/foreign
expect 0 "$phasor" trace -o file "$program" turns 3
expect 0 "$phasor" report file
says out "3 (" # iterations
