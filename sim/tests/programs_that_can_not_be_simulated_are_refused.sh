#!/usr/bin/env bash
# Before they run, in one sentence: what the dynamic linker does not load has no world in it.
. sim/tests/world.bash
cat >says.c <<'CODE'
#include <stdio.h>
int main(void) { puts("it runs"); return 0; }
CODE
"${CC:-gcc}" -static says.c -o static || { echo "no static libraries here"; exit 77; }
refused "static can't be simulated: it is linked statically" ./static
mkdir -p bin
cp static bin/found
PATH=$PWD/bin:$PATH refused "found can't be simulated: it is linked statically" found
printf '#!%s/static\n' "$PWD" >script
chmod +x script
refused "static can't be simulated: it is linked statically" ./script
refused "static can't be simulated: it is linked statically" --seeds 3 ./static

# A note of Go's linker, as dynamically linked programs of Go have it too.
cat >note.s <<'CODE'
.section .note.go.buildid, "a", @note
.align 4
.long 4, 4, 4
.ascii "Go\0\0"
.ascii "id\0\0"
.section .note.GNU-stack, "", @progbits
CODE
"${CC:-gcc}" says.c note.s -Wl,--build-id=none -o going
refused "going can't be simulated: programs in Go" ./going

if [ "$(id -u)" = 0 ]; then
    "${CC:-gcc}" says.c -o others
    chown 65534 others
    chmod u+s others
    refused "others can't be simulated: it runs with the rights of another user" ./others
fi
