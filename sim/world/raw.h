#ifndef PH_SIM_RAW_H
#define PH_SIM_RAW_H

/* System calls as they are. The library exports functions of these names, which programs get in
 * place of libc's; the world and the recorder use these. */

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

struct stat;

long ph_raw_call(long number, ...);
/* What a variadic system call was given: there are at most so many. */
static inline void ph_raw_arguments(va_list list, long values[6]) {
    for (int i = 0; i < 6; i++)
        values[i] = va_arg(list, long);
}
/* libc's function behind ours, in the version that programs are linked with today. */
void* ph_raw_next(const char* name, const char* version);
int ph_raw_open(const char* path, int flags, ...);
int ph_raw_close(int fd);
int ph_raw_stat(const char* path, struct stat* info);
int ph_raw_fstat(int fd, struct stat* info);
struct dirent* ph_raw_readdir(DIR* folder);
int ph_raw_closedir(DIR* folder);
ssize_t ph_raw_read(int fd, void* bytes, size_t size);
ssize_t ph_raw_pread(int fd, void* bytes, size_t size, off_t offset);
ssize_t ph_raw_write(int fd, const void* bytes, size_t size);
ssize_t ph_raw_writev(int fd, const struct iovec* parts, int count);
ssize_t ph_raw_pwrite(int fd, const void* bytes, size_t size, off_t offset);
ssize_t ph_raw_pwritev(int fd, const struct iovec* parts, int count, off_t offset);
int ph_raw_fsync(int fd);
int ph_raw_fdatasync(int fd);
int ph_raw_ftruncate(int fd, off_t size);
int ph_raw_rename(const char* from, const char* to);
int ph_raw_unlink(const char* path);
int ph_raw_bind(int fd, const struct sockaddr* address, socklen_t size);
int ph_raw_connect(int fd, const struct sockaddr* address, socklen_t size);
int ph_raw_getsockname(int fd, struct sockaddr* address, socklen_t* size);
int ph_raw_socket(int family, int type, int protocol);
int ph_raw_listen(int fd, int backlog);
int ph_raw_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags);
int ph_raw_shutdown(int fd, int how);
int ph_raw_getpeername(int fd, struct sockaddr* address, socklen_t* size);
int ph_raw_getsockopt(int fd, int level, int name, void* value, socklen_t* size);
ssize_t ph_raw_readv(int fd, const struct iovec* parts, int count);
ssize_t ph_raw_recv(int fd, void* bytes, size_t size, int flags);
ssize_t ph_raw_recvmsg(int fd, struct msghdr* message, int flags);
int ph_raw_recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags,
                    struct timespec* limit);
ssize_t ph_raw_send(int fd, const void* bytes, size_t size, int flags);
ssize_t ph_raw_sendmsg(int fd, const struct msghdr* message, int flags);
int ph_raw_sendmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags);
int ph_raw_epoll_create1(int flags);
int ph_raw_epoll_ctl(int set, int op, int fd, struct epoll_event* event);
int ph_raw_epoll_wait(int set, struct epoll_event* events, int room, int ms);
int ph_raw_epoll_pwait(int set, struct epoll_event* events, int room, int ms, const sigset_t* mask);
int ph_raw_epoll_pwait2(int set, struct epoll_event* events, int room, const struct timespec* time,
                        const sigset_t* mask);
int ph_raw_eventfd(unsigned count, int flags);
int ph_raw_pipe2(int fds[2], int flags);
int ph_raw_poll(struct pollfd* fds, nfds_t count, const struct timespec* limit);
int ph_raw_sched_yield(void);
int ph_raw_fcntl(int fd, int command, long value);
int ph_raw_pid(void);
int ph_raw_tid(void);
int ph_raw_kill(int pid, int signal);

#endif
