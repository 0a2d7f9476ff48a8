// threaded
/* The machine and this process on it. */

#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

TEST(uname_is_that_of_the_system) {
    struct utsname expected;
    uv_utsname_t name;
    CHECK_OK(uname(&expected));
    CHECK_OK(uv_os_uname(&name));
    CHECK_STR(name.sysname, expected.sysname);
    CHECK_STR(name.release, expected.release);
    CHECK_STR(name.version, expected.version);
    CHECK_STR(name.machine, expected.machine);
    CHECK_EQ(uv_os_uname(NULL), UV_EINVAL);
}

TEST(gethostname_follows_the_size_protocol) {
    char expected[UV_MAXHOSTNAMESIZE], buffer[UV_MAXHOSTNAMESIZE];
    CHECK_OK(gethostname(expected, sizeof(expected)));
    size_t length = strlen(expected), size = sizeof(buffer);
    CHECK_OK(uv_os_gethostname(buffer, &size));
    CHECK_STR(buffer, expected);
    CHECK_EQ(size, length);
    for (size_t small = 1; small <= length; small++) {
        size = small;
        CHECK_EQ(uv_os_gethostname(buffer, &size), UV_ENOBUFS);
        CHECK_EQ(size, length + 1);
    }
    size = length + 1;
    CHECK_OK(uv_os_gethostname(buffer, &size));
    size = 0;
    CHECK_EQ(uv_os_gethostname(buffer, &size), UV_EINVAL);
    CHECK_EQ(uv_os_gethostname(NULL, &length), UV_EINVAL);
    CHECK_EQ(uv_os_gethostname(buffer, NULL), UV_EINVAL);
}

TEST(uptime_is_the_time_since_boot) {
    struct timespec boot;
    double uptime = 0;
    CHECK_OK(uv_uptime(&uptime));
    CHECK_OK(clock_gettime(CLOCK_BOOTTIME, &boot));
    CHECK(uptime > 0);
    CHECK(uptime <= (double)boot.tv_sec + 1);
}

TEST(loadavg_is_that_of_the_system) {
    double load[3] = {-1, -1, -1};
    uv_loadavg(load);
    for (int i = 0; i < 3; i++)
        CHECK(load[i] >= 0);
}

static void burn_a_little_time(void) {
    for (volatile unsigned int i = 0; i < 20000000; i++)
        ;
}

static uint64_t micros(uv_timeval_t time) {
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

TEST(rusage_counts_the_time_of_this_process) {
    uv_rusage_t before, after;
    struct rusage expected;
    CHECK_OK(uv_getrusage(&before));
    burn_a_little_time();
    CHECK_OK(uv_getrusage(&after));
    CHECK_OK(getrusage(RUSAGE_SELF, &expected));
    CHECK_GE(micros(after.ru_utime) + micros(after.ru_stime),
             micros(before.ru_utime) + micros(before.ru_stime) + 1);
    CHECK_GT(after.ru_maxrss, 0);
    CHECK_LE(after.ru_maxrss, expected.ru_maxrss);
    CHECK_LE(after.ru_minflt, expected.ru_minflt);
    CHECK_GE(after.ru_minflt, before.ru_minflt);
    CHECK_LT(after.ru_utime.tv_usec, 1000000);
}

/* The kernel may count what a thread has run when that stops. */
static void burn_in_thread(void* arg) {
    burn_a_little_time();
    usleep(1000);
    CHECK_OK(uv_getrusage_thread(arg));
}

TEST(rusage_of_a_thread_leaves_out_the_others) {
    uv_rusage_t before, after, other;
    uv_thread_t thread;
    CHECK_OK(uv_getrusage_thread(&before));
    CHECK_OK(uv_thread_create(&thread, burn_in_thread, &other));
    CHECK_OK(uv_thread_join(&thread));
    CHECK_OK(uv_getrusage_thread(&after));
    CHECK_GT(micros(other.ru_utime) + micros(other.ru_stime),
             micros(after.ru_utime) - micros(before.ru_utime));
    CHECK_EQ(uv_getrusage_thread(NULL), UV_EINVAL);
}

TEST(priority_of_a_process_is_its_nice_value) {
    int priority = -99, before = getpriority(PRIO_PROCESS, 0);
    CHECK_OK(uv_os_getpriority(0, &priority));
    CHECK_EQ(priority, before);
    CHECK_OK(uv_os_setpriority(uv_os_getpid(), UV_PRIORITY_LOW));
    CHECK_OK(uv_os_getpriority(uv_os_getpid(), &priority));
    CHECK_EQ(priority, UV_PRIORITY_LOW);
    CHECK_NE(uv_os_setpriority(0, UV_PRIORITY_HIGHEST), UV_EINVAL);
    if (uv_os_setpriority(0, -1) == 0) {
        errno = EPERM; /* of an earlier call */
        CHECK_OK(uv_os_getpriority(0, &priority));
        CHECK_EQ(priority, -1);
    }
}

TEST(priority_out_of_range_reports_einval) {
    CHECK_EQ(uv_os_setpriority(0, UV_PRIORITY_LOW + 1), UV_EINVAL);
    CHECK_EQ(uv_os_setpriority(0, UV_PRIORITY_HIGHEST - 1), UV_EINVAL);
    CHECK_EQ(uv_os_getpriority(0, NULL), UV_EINVAL);
}

TEST(priority_of_a_process_that_is_gone_reports_esrch) {
    int priority;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    CHECK_EQ(uv_os_getpriority(pid, &priority), UV_ESRCH);
    CHECK_EQ(uv_os_setpriority(pid, 0), UV_ESRCH);
}

TEST(process_numbers_are_those_of_the_system) {
    CHECK_EQ(uv_os_getpid(), getpid());
    CHECK_EQ(uv_os_getppid(), getppid());
}

TEST(descriptor_and_system_handle_are_the_same_number) {
    CHECK_EQ(uv_get_osfhandle(2), 2);
    CHECK_EQ(uv_open_osfhandle(2), 2);
}
