/* What programs do past the library: they wake themselves through a pair of sockets or a pipe. */

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

enum { MOST = 64 };

static ino_t ends[2 * MOST]; /* by inode: descriptors are closed past us */
static unsigned next;

static void remember(int fd) {
    struct stat info;
    if (ph_raw_fstat(fd, &info) == 0)
        ends[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % (2 * MOST)] = info.st_ino;
}

bool ph_pair_is_inner(int fd) {
    struct stat info;
    if (fd <= STDERR_FILENO || next == 0 || ph_raw_fstat(fd, &info) != 0 ||
        !(S_ISSOCK(info.st_mode) || S_ISFIFO(info.st_mode)))
        return false;
    for (int i = 0; i < 2 * MOST; i++)
        if (ends[i] == info.st_ino)
            return true;
    return false;
}

/* The library's own go to children. */
int __wrap_socketpair(int family, int type, int protocol, int fds[2]) {
    return (int)ph_raw_call(SYS_socketpair, family, type, protocol, fds);
}

int __wrap_pipe2(int fds[2], int flags) {
    return ph_raw_pipe2(fds, flags);
}

EXPORT int pipe2(int fds[2], int flags) {
    int result = ph_raw_pipe2(fds, flags);
    if (result == 0 && ph_world != NULL) {
        remember(fds[0]);
        remember(fds[1]);
    }
    return result;
}

EXPORT int pipe(int fds[2]) {
    return pipe2(fds, 0);
}

EXPORT int socketpair(int family, int type, int protocol, int fds[2]) {
    int result = (int)ph_raw_call(SYS_socketpair, family, type, protocol, fds);
    if (result == 0 && ph_world != NULL) {
        remember(fds[0]);
        remember(fds[1]);
    }
    return result;
}
