#!/usr/bin/env bash
# The name that programs ask the loader for, no dependency but the C library, and nothing that a
# hardened system refuses.
. lib/tests/abi/common.bash
need_library
library=$build/lib/libuv.so.1
failed=0
fail() {
    echo "$library: $1" >&2
    failed=1
}

readelf -dW "$library" >"$temp/dynamic"
readelf -lW "$library" >"$temp/segments"
grep -q 'SONAME.*\[libuv\.so\.1\]' "$temp/dynamic" || fail "the SONAME is not libuv.so.1"
others=$(sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' "$temp/dynamic" |
    grep -vE '^(libc\.so\.6|libm\.so\.6|ld-linux.*)$' || true)
[ -z "$others" ] || fail "needs more than the C library: $others"
grep -qE '\((TEXTREL|RPATH|RUNPATH)\)|FLAGS.*TEXTREL' "$temp/dynamic" &&
    fail "has text relocations or a search path"
grep -E 'GNU_STACK' "$temp/segments" | grep -q 'RWE' && fail "asks for an executable stack"
grep -q 'GNU_STACK' "$temp/segments" || fail "does not say that its stack is not executable"
grep -qE 'LOAD.* RWE ' "$temp/segments" && fail "has a segment that is writable and executable"
grep -q 'GNU_RELRO' "$temp/segments" || fail "has no read-only relocations"

# Loading it and leaving again starts no thread and opens no descriptor.
cat >"$temp/load.c" <<'END'
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
static int count(const char* path) {
    DIR* dir = opendir(path);
    int n = 0;
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n;
}
int main(int argc, char** argv) {
    int fds = count("/proc/self/fd"), tasks = count("/proc/self/task");
    void* library = dlopen(argv[argc - 1], RTLD_NOW);
    if (library == NULL)
        return puts(dlerror()), 1;
    if (count("/proc/self/fd") != fds || count("/proc/self/task") != tasks)
        return puts("loading it opens descriptors or starts threads"), 1;
    return dlclose(library);
}
END
gcc -o "$temp/load" "$temp/load.c"
"$temp/load" "$(realpath "$library")" || fail "does not load"
exit $failed
