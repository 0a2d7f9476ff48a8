/* How much a thread has run: its own processor clock, and the kernel's count of how long it was
 * ready and had no processor. */

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recorder/recorder.h"

enum {
    HIGH_FD = 900,
    TEXT = 96,
    UNSEEN_NS = 500000, /* neither run nor slept: in system calls, or waiting */
    ASK_NS = 100000000, /* between two times that the kernel is asked, at most */
    CROWDED_US = 200
};

/* The clock of a thread of this process, by its number: what pthread_getcpuclockid makes of it. */
static clockid_t clock_of(int tid) {
    return (clockid_t)((~(unsigned)tid << 3) | 6);
}

static int open_schedstat(int tid) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int has_room; /* in the table of descriptors, for a high one */

/* An epoll set, an eventfd or the like, which has no kind. While the kernel waits it holds what is
 * doubled: the other side of anything else would hear of its end late, and closing a second
 * descriptor of a file would end the program's locks. */
static bool may_be_doubled(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == 0;
}

/* The kernel keeps whoever first needs a high number waiting until it has made a larger table, tens
 * of ms where threads share it: that is nobody of the program's. No low number is taken meanwhile,
 * as the program may count on the next one. */
void ph_account_make_room(void) {
    enum { LOW_FDS = 256 };
    int high = -1;
    for (int fd = 0; fd < LOW_FDS && high == -1; fd++)
        if (may_be_doubled(fd))
            high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (high != -1)
        close(high);
    __atomic_store_n(&has_room, 1, __ATOMIC_RELEASE);
}

/* Where a program would find a gap in its numbers, it is done without. */
static int open_high(struct ph_buffer* buffer) {
    struct stat info;
    int low = open_schedstat(ph_buffer_owner(buffer));
    if (low == -1)
        return -1;
    int fd = fcntl(low, F_DUPFD_CLOEXEC, HIGH_FD);
    close(low);
    if (fd == -1 || fstat(fd, &info) != 0)
        return fd;
    buffer->schedstat_device = info.st_dev;
    buffer->schedstat_inode = info.st_ino;
    return fd;
}

static bool read_number(const char** text, const char* end, char after, uint64_t* number) {
    const char* from = *text;
    *number = 0;
    while (*text < end && **text >= '0' && **text <= '9')
        *number = *number * 10 + (uint64_t)(*(*text)++ - '0');
    return *text > from && *text < end && *(*text)++ == after;
}

/* "ran waited times"; what was there before may be a file of the program's, if it closes what it
 * does not know. */
static uint32_t read_waited(int fd) {
    char text[TEXT];
    uint64_t ran, waited, times;
    if (fd == -1)
        return 0;
    ssize_t n = pread(fd, text, sizeof(text), 0);
    const char *at = text, *end = n > 0 ? text + n : text;
    if (!read_number(&at, end, ' ', &ran) || !read_number(&at, end, ' ', &waited) ||
        !read_number(&at, end, '\n', &times) || at != end)
        return 0;
    return (uint32_t)(waited / 1000 + 1);
}

/* Still: the program may have closed it, and have a file of its own there. */
static bool is_ours(const struct ph_buffer* buffer, int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_dev == buffer->schedstat_device &&
           info.st_ino == buffer->schedstat_inode;
}

/* Whoever ends the recording may close it meanwhile. */
static uint32_t own_waited(struct ph_buffer* buffer) {
    int fd = __atomic_load_n(&buffer->schedstat, __ATOMIC_ACQUIRE);
    uint32_t waited = fd > 0 ? read_waited(fd) : 0;
    if (waited != 0 || fd == -1 || (fd > 0 && is_ours(buffer, fd)))
        return waited;
    if (!__atomic_load_n(&has_room, __ATOMIC_ACQUIRE)) {
        int low = open_schedstat(ph_buffer_owner(buffer));
        waited = read_waited(low);
        if (low != -1)
            close(low);
        return waited;
    }
    fd = open_high(buffer);
    __atomic_store_n(&buffer->schedstat, fd, __ATOMIC_RELEASE);
    return read_waited(fd);
}

static bool read_clock(clockid_t clock, uint64_t* ran) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        return false;
    *ran = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    return true;
}

bool ph_account_read(const struct ph_buffer* buffer, uint64_t* ran, uint32_t* waited) {
    int tid = ph_buffer_owner(buffer);
    if (!read_clock(clock_of(tid), ran))
        return false;
    int fd = open_schedstat(tid);
    *waited = read_waited(fd);
    if (fd != -1)
        close(fd);
    return true;
}

/* At the end of sleeping a thread may have waited unseen; so where processors are wanted by others
 * it is always asked, and every so often to know whether they are. */
bool ph_account_own(struct ph_buffer* buffer, uint64_t time, uint64_t slept, uint64_t* ran,
                    uint32_t* waited) {
    uint64_t since = buffer->accounted;
    buffer->accounted = time;
    if (!read_clock(CLOCK_THREAD_CPUTIME_ID, ran))
        return false;
    if (time - since > *ran - buffer->had_run + slept + UNSEEN_NS || buffer->is_crowded ||
        time - buffer->asked_kernel > ASK_NS) {
        uint32_t before = buffer->waited;
        buffer->waited = own_waited(buffer);
        buffer->is_crowded = buffer->waited - before > CROWDED_US;
        buffer->asked_kernel = time;
    }
    buffer->had_run = *ran;
    *waited = buffer->waited;
    return true;
}

void ph_account_close(struct ph_buffer* buffer) {
    int fd = __atomic_exchange_n(&buffer->schedstat, 0, __ATOMIC_ACQ_REL);
    if (fd > 0 && is_ours(buffer, fd))
        close(fd);
}
