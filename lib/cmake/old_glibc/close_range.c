#include <sys/syscall.h>
#include <unistd.h>

int close_range(unsigned int first, unsigned int last, int flags) {
    return (int)syscall(SYS_close_range, first, last, flags);
}
