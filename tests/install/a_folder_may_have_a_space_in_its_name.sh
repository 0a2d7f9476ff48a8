#!/usr/bin/env bash
# Installed in a folder with a space in its name: phasor run, trace, sim and what is preloaded. One
# with a colon can't be told to the loader, which the command says.
. tests/install/prefix.bash
[ -x "$prefix/bin/phasor" ] || { echo "skipped: no phasor in this build"; exit 77; }
place="$temp/my folder"
mv "$prefix" "$place"
phasor=$place/bin/phasor
gcc "$program" -o "$temp/program" -I"$place/include" "$place${libdir#"$prefix"}/libuv.so.1"

# says TEXT COMMAND...: it succeeds and prints that line, and the loader has nothing to complain of
says() {
    local text=$1
    shift
    "$@" >"$temp/out" 2>&1 || fail "$*: status $?: $(cat "$temp/out")"
    grep -qxF -e "$text" "$temp/out" || fail "$*: no \"$text\": $(cat "$temp/out")"
    ! grep 'ld\.so' "$temp/out" || fail "$*: the loader complains"
}
says "$version" "$phasor" run "$temp/program"
says attachable "$phasor" run --attachable -- echo attachable
"$phasor" trace -o "$temp/program.trace" "$temp/program" >"$temp/out" 2>&1 || true
grep -q "loaded our library, but never made a loop" "$temp/out" ||
    fail "phasor trace: $(cat "$temp/out")"
node=$(command -v node || true)
if [ -n "$node" ] && nm -D "$node" 2>/dev/null | grep ' T uv_run' >/dev/null; then
    says true "$phasor" run node -p \
        "process.report.getReport().sharedObjects.join().includes('$place')"
fi
if [ -n "$(find "$place" -path '*/sim/libuv.so.1')" ] && "$phasor" -e 0 2>/dev/null; then
    echo 'setTimeout(() => console.log(true), 3600000)' >"$temp/hour.js"
    says true "$phasor" sim "$temp/hour.js"
fi

mv "$place" "$temp/with:colon"
[ ! -e "$temp/hour.js" ] || says true "$temp/with:colon/bin/phasor" sim "$temp/hour.js"
status=0
"$temp/with:colon/bin/phasor" run "$temp/program" >"$temp/out" 2>&1 || status=$?
[ $status != 0 ] && grep -q "can't be told of a folder with ':'" "$temp/out" ||
    fail "a folder with a colon: status $status: $(cat "$temp/out")"
