#include "read/text_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/memory.h"

enum { MOST_FILE = 64 << 20 };

char* text_file_read(const char* path, uint64_t before, size_t* size) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd != -1 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                info.st_size < MOST_FILE && (uint64_t)info.st_mtime <= before / 1000000000;
    char* text = NULL;
    if (good) {
        text = must(malloc((size_t)info.st_size + 1));
        ssize_t n = read(fd, text, (size_t)info.st_size);
        *size = n > 0 ? (size_t)n : 0;
        text[*size] = '\0';
    }
    if (fd != -1)
        close(fd);
    return text;
}
