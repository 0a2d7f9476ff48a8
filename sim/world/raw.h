#ifndef PH_SIM_RAW_H
#define PH_SIM_RAW_H

/* System calls as they are. The library exports functions of these names, which programs get in
 * place of libc's; the world and the recorder use these. */

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

long ph_raw_call(long number, ...);
int ph_raw_open(const char* path, int flags, ...);
int ph_raw_close(int fd);
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
int ph_raw_pid(void);
int ph_raw_kill(int pid, int signal);

#endif
