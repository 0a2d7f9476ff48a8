#include "read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/memory.h"

enum { WINDOW = 4 << 20 };

bool source_open(struct source* source, const char* path, char* error, size_t error_size) {
    struct stat info;
    *source = (struct source){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (source->fd == -1 || fstat(source->fd, &info) != 0) {
        snprintf(error, error_size, "can't read %s: %s", path, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        snprintf(error, error_size, "%s is not a regular file", path);
    } else if (info.st_size == 0) {
        snprintf(error, error_size, "%s is empty", path);
    } else {
        source->size = (uint64_t)info.st_size;
        return true;
    }
    source_close(source);
    return false;
}

void source_close(struct source* source) {
    if (source->fd != -1)
        close(source->fd);
    free(source->window);
    *source = (struct source){.fd = -1};
}

static void load(struct source* source, uint64_t offset, size_t size) {
    if (size > source->window_room) {
        free(source->window);
        source->window = must(malloc(size));
        source->window_room = size;
    }
    source->window_at = offset;
    source->window_size = 0;
    while (source->window_size < size) {
        ssize_t n = pread(source->fd, source->window + source->window_size,
                          size - source->window_size, (off_t)(offset + source->window_size));
        if (n == -1 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        source->window_size += (size_t)n;
    }
    source->loaded += source->window_size;
}

const unsigned char* source_bytes(struct source* source, uint64_t offset, size_t size) {
    if (offset > source->size || size > source->size - offset)
        return NULL;
    uint64_t end = source->window_at + source->window_size;
    if (offset < source->window_at || offset > end || size > end - offset) {
        uint64_t wanted = size > WINDOW ? size : WINDOW;
        uint64_t left = source->size - offset;
        load(source, offset, (size_t)(wanted < left ? wanted : left));
        if (source->window_size < size)
            return NULL;
    }
    return source->window + (offset - source->window_at);
}

uint64_t source_find(struct source* source, uint64_t offset, unsigned char byte) {
    while (offset < source->size) {
        if (source_bytes(source, offset, 1) == NULL)
            break;
        size_t skipped = (size_t)(offset - source->window_at);
        size_t left = source->window_size - skipped;
        const unsigned char* found = memchr(source->window + skipped, byte, left);
        if (found != NULL)
            return offset + (uint64_t)(found - (source->window + skipped));
        offset += left;
    }
    return source->size;
}
