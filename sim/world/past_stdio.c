/* A disk that is full takes nothing of a stream's buffer either: libc writes it past the world. */

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world/journal.h"
#include "world/raw.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

enum { ERROR_SEEN = 0x20 /* in the flags of a stream, for ferror */ };

typedef int (*closer)(FILE* stream);
typedef size_t (*writer)(const void* bytes, size_t size, size_t count, FILE* stream);

/* Whether it would now write to a file on a disk that is full. */
static bool meets_full_disk(FILE* stream, size_t pending) {
    struct stat info;
    if (ph_world == NULL || !ph_thread_counts() || pending == 0 || !__fwritable(stream))
        return false;
    int fd = fileno(stream);
    return fd > STDERR_FILENO && ph_raw_fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
           ph_disk_is_full();
}

static int fail(FILE* stream) {
    stream->_flags |= ERROR_SEEN;
    errno = ENOSPC;
    return EOF;
}

EXPORT int fflush(FILE* stream) {
    if (stream != NULL && meets_full_disk(stream, __fpending(stream)))
        return fail(stream);
    closer real = (closer)ph_raw_next("fflush", NULL);
    return real(stream);
}

EXPORT int fclose(FILE* stream) {
    closer real = (closer)ph_raw_next("fclose", NULL);
    if (!meets_full_disk(stream, __fpending(stream)))
        return real(stream);
    __fpurge(stream);
    real(stream);
    errno = ENOSPC;
    return EOF;
}

EXPORT size_t fwrite(const void* restrict bytes, size_t size, size_t count, FILE* restrict stream) {
    size_t pending = __fpending(stream) + size * count;
    if (pending > __fbufsize(stream) && meets_full_disk(stream, pending)) {
        fail(stream);
        return 0;
    }
    writer real = (writer)ph_raw_next("fwrite", NULL);
    return real(bytes, size, count, stream);
}
