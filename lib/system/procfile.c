#include "system/procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

ssize_t ph_procfile_read(const char* path, char* buffer, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ph_errno();
    size_t length = 0;
    ssize_t n = 0;
    while (length < size - 1) {
        n = read(fd, buffer + length, size - 1 - length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        length += (size_t)n;
    }
    ssize_t result = n < 0 ? ph_errno() : (ssize_t)length;
    close(fd);
    buffer[length] = '\0';
    return result;
}
