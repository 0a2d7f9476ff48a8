#!/usr/bin/env bash
# Where the C library hides pthread_rwlock_t and pthread_barrier_t (-std=c89), the header's own
# types have their sizes, and the library's functions work on them.
. lib/tests/abi/common.bash
need_library
cat >"$temp/strict.c" <<'END'
#include <stdio.h>
#include <uv.h>
int main(void) {
    uv_rwlock_t lock;
    uv_barrier_t barrier;
    struct { char before; uv_rwlock_t lock; uv_barrier_t barrier; } placed;
    if (uv_rwlock_init(&lock) != 0 || uv_barrier_init(&barrier, 1) != 0)
        return 1;
    uv_rwlock_rdlock(&lock);
    if (uv_rwlock_trywrlock(&lock) != UV_EBUSY || uv_barrier_wait(&barrier) <= 0)
        return 2;
    uv_rwlock_rdunlock(&lock);
    uv_rwlock_destroy(&lock);
    uv_barrier_destroy(&barrier);
    printf("%u %u %u %u\n", (unsigned)sizeof(lock), (unsigned)sizeof(barrier),
           (unsigned)((char*)&placed.lock - (char*)&placed),
           (unsigned)((char*)&placed.barrier - (char*)&placed));
    return 0;
}
END
for standard in gnu11 c89 c99 c2x; do
    gcc -std=$standard -Wall -Wextra -Wpedantic -Werror -Ilib/include "$temp/strict.c" \
        -o "$temp/strict" -L"$build/lib" -luv -Wl,-rpath,"$build/lib"
    "$temp/strict" >"$temp/$standard" || { echo "-std=$standard: status $?" >&2; exit 1; }
    cmp "$temp/gnu11" "$temp/$standard" || { echo "-std=$standard: other sizes" >&2; exit 1; }
done
