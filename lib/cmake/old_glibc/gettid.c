#include <sys/syscall.h>
#include <unistd.h>

pid_t gettid(void) {
    return (pid_t)syscall(SYS_gettid);
}
