// wrap: open read getpwuid_r getgrgid_r clock_gettime sysinfo getrandom nanosleep fopen
/* Files of the kernel and of the user database that are read piece by piece, or not at all. */

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"
#include "system/procfile.h"

static const char* shown_file;  /* stands for every file that is opened by open */
static const char* shown_stat;  /* for /proc/stat */
static const char* shown_model; /* for /proc/cpuinfo */
static bool gives_nothing;
int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, int mode);
FILE* __real_fopen(const char* path, const char* mode);
FILE* __wrap_fopen(const char* path, const char* mode);
ssize_t __real_getrandom(void* buffer, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void* buffer, size_t size, unsigned flags);

int __wrap_open(const char* path, int flags, int mode) {
    if (is_refused("open"))
        return -1;
    return __real_open(shown_file != NULL ? shown_file : path, flags, mode);
}

FILE* __wrap_fopen(const char* path, const char* mode) {
    if (strcmp(path, "/proc/stat") == 0 && shown_stat != NULL)
        return __real_fopen(shown_stat, mode);
    if (strcmp(path, "/proc/cpuinfo") == 0 && shown_model != NULL)
        return __real_fopen(shown_model, mode);
    return __real_fopen(path, mode);
}

ssize_t __wrap_getrandom(void* buffer, size_t size, unsigned flags) {
    if (is_refused("getrandom"))
        return -1;
    return gives_nothing ? 0 : __real_getrandom(buffer, size, flags);
}

REPLACE(ssize_t, read, (int fd, void* buffer, size_t size), fd, buffer, size)
REPLACE(int, clock_gettime, (clockid_t clock, struct timespec* time), clock, time)
REPLACE(int, sysinfo, (struct sysinfo * info), info)
REPLACE(int, nanosleep, (const struct timespec* time, struct timespec* left), time, left)

static struct passwd* shown_user;
static struct group* shown_group;
static int lookups;
int __wrap_getpwuid_r(uid_t uid, struct passwd* entry, char* buffer, size_t size,
                      struct passwd** found);
int __wrap_getgrgid_r(gid_t gid, struct group* entry, char* buffer, size_t size,
                      struct group** found);

int __wrap_getpwuid_r(uid_t uid, struct passwd* entry, char* buffer, size_t size,
                      struct passwd** found) {
    (void)uid, (void)entry, (void)buffer, (void)size;
    lookups++;
    *found = shown_user;
    return is_refused("getpwuid_r") ? refusal.error : 0;
}

int __wrap_getgrgid_r(gid_t gid, struct group* entry, char* buffer, size_t size,
                      struct group** found) {
    (void)gid, (void)entry, (void)buffer, (void)size;
    lookups++;
    *found = shown_group;
    return is_refused("getgrgid_r") ? refusal.error : 0;
}

/* What runs at the end of the program reads its own files. */
static void show_all(void) {
    shown_file = NULL;
}

__attribute__((constructor)) static void show_all_at_exit(void) {
    atexit(show_all);
}

static void put(const char* path, const char* text) {
    FILE* file = __real_fopen(path, "we");
    fputs(text, file);
    fclose(file);
}

static ssize_t read_text(size_t size, char* text) {
    return ph_procfile_read("file", text, size);
}

TEST(file_of_the_kernel_is_read_to_its_end_or_as_far_as_there_is_room) {
    char text[64];
    put("file", "12345678");
    refuse("read", 0, 1, EINTR);
    CHECK_EQ(read_text(sizeof(text), text), 8);
    CHECK_STR(text, "12345678");
    CHECK_EQ(read_text(9, text), 8);
    CHECK_EQ(read_text(5, text), 4);
    CHECK_STR(text, "1234");
    refuse("read", 0, 1, EIO);
    CHECK_EQ(read_text(sizeof(text), text), UV_EIO);
    CHECK_STR(text, "");
    refuse("open", 0, 1, EACCES);
    CHECK_EQ(read_text(sizeof(text), text), UV_EACCES);
}

TEST(memory_load_and_uptime_without_any_source_are_zero_or_an_error) {
    double value = -1, load[3] = {-1, -1, -1};
    size_t bytes;
    refuse("open", 0, 1, ENOENT);
    CHECK_EQ(uv_resident_set_memory(&bytes), UV_ENOENT);
    refuse("open", 0, -1, ENOENT);
    CHECK_GT(uv_get_total_memory(), 0);
    CHECK_GT(uv_get_free_memory(), 0);
    CHECK_LE(uv_get_free_memory(), uv_get_total_memory());
    CHECK_OK(uv_uptime(&value));
    CHECK(value >= 0);
    uv_loadavg(load);
    CHECK(load[0] >= 0);
}

TEST(memory_and_load_are_zero_when_the_kernel_says_nothing_at_all) {
    double load[3] = {-1, -1, -1};
    refuse("sysinfo", 0, -1, ENOSYS);
    refuse_also("open", ENOENT);
    CHECK_EQ(uv_get_total_memory(), 0);
    CHECK_EQ(uv_get_free_memory(), 0);
    uv_loadavg(load);
    for (int i = 0; i < 3; i++)
        CHECK(load[i] == 0);
    CHECK_EQ(refusal.count, 3);
}

TEST(uptime_without_file_and_clock_is_an_error) {
    double uptime;
    refuse("clock_gettime", 0, -1, EINVAL);
    refuse_also("open", ENOENT);
    CHECK_EQ(uv_uptime(&uptime), UV_EINVAL);
}

TEST(lookups_of_users_and_groups_go_on_after_interruptions) {
    struct passwd user = {.pw_name = "somebody", .pw_uid = 7};
    struct group group = {.gr_name = "some", .gr_gid = 8};
    uv_passwd_t pwd;
    uv_group_t grp;
    shown_user = &user;
    shown_group = &group;
    refuse("getpwuid_r", 0, 2, EINTR);
    CHECK_OK(uv_os_get_passwd2(&pwd, 7));
    CHECK_EQ(lookups, 3);
    CHECK_STR(pwd.username, "somebody");
    CHECK(pwd.homedir == NULL && pwd.shell == NULL);
    uv_os_free_passwd(&pwd);
    refuse("getgrgid_r", 0, 2, EINTR);
    CHECK_OK(uv_os_get_group(&grp, 8));
    CHECK_EQ(lookups, 6);
    CHECK_STR(grp.groupname, "some");
    CHECK(grp.members[0] == NULL);
    uv_os_free_group(&grp);
    refuse("getpwuid_r", 0, 1, EIO);
    CHECK_EQ(uv_os_get_passwd2(&pwd, 7), UV_EIO);
    refuse("getgrgid_r", 0, 1, EIO);
    CHECK_EQ(uv_os_get_group(&grp, 8), UV_EIO);
}

TEST(users_and_groups_without_a_name_have_an_empty_one) {
    char* members[] = {"first", NULL};
    struct passwd user = {.pw_dir = "/there", .pw_shell = "/sh"};
    struct group group = {.gr_mem = members};
    uv_passwd_t pwd;
    uv_group_t grp;
    shown_user = &user;
    shown_group = &group;
    CHECK_OK(uv_os_get_passwd2(&pwd, 0));
    CHECK_STR(pwd.username, "");
    CHECK_STR(pwd.homedir, "/there");
    CHECK_STR(pwd.shell, "/sh");
    uv_os_free_passwd(&pwd);
    CHECK_OK(uv_os_get_group(&grp, 0));
    CHECK_STR(grp.groupname, "");
    CHECK_STR(grp.members[0], "first");
    CHECK(grp.members[1] == NULL);
    uv_os_free_group(&grp);
}

TEST(homedir_of_a_user_without_one_is_enoent) {
    struct passwd user = {.pw_name = "somebody"};
    char path[100];
    size_t size = sizeof(path);
    shown_user = &user;
    CHECK_OK(unsetenv("HOME"));
    CHECK_EQ(uv_os_homedir(path, &size), UV_ENOENT);
}

TEST(random_bytes_come_from_the_device_where_the_call_is_refused) {
    char bytes[32] = {0}, zeroes[32] = {0};
    refuse("getrandom", 0, -1, ENOSYS);
    CHECK_OK(uv_random(NULL, NULL, bytes, sizeof(bytes), 0, NULL));
    CHECK_NE(memcmp(bytes, zeroes, sizeof(bytes)), 0);
}

TEST(random_without_call_and_device_is_the_error_of_the_call) {
    char byte;
    refuse("getrandom", 0, -1, EPERM);
    refuse_also("open", ENOENT);
    CHECK_EQ(uv_random(NULL, NULL, &byte, 1, 0, NULL), UV_EPERM);
}

TEST(random_without_call_and_bytes_of_the_device_is_the_error_of_the_device) {
    char byte;
    refuse("getrandom", 0, -1, ENOSYS);
    refuse_also("read", EIO);
    CHECK_EQ(uv_random(NULL, NULL, &byte, 1, 0, NULL), UV_EIO);
}

TEST(sleep_ends_when_the_kernel_refuses_it) {
    refuse("nanosleep", 0, 1, EINVAL);
    uv_sleep(3600 * 1000);
    CHECK_EQ(refusal.count, 1);
}

TEST(files_of_the_kernel_that_hold_rubbish_count_as_missing) {
    double value = -1, load[3] = {-1, -1, -1};
    size_t bytes;
    put("rubbish", "MemTotal: MemAvailable: x y z\n");
    shown_file = "rubbish";
    CHECK_OK(uv_uptime(&value));
    CHECK(value >= 0);
    uv_loadavg(load);
    CHECK(load[0] >= 0);
    CHECK_GT(uv_get_total_memory(), 1000);
    CHECK_GT(uv_get_free_memory(), 1000);
    CHECK_EQ(uv_resident_set_memory(&bytes), UV_EINVAL);
    put("rubbish", "nothing\n");
    CHECK_GT(uv_get_total_memory(), 1000);
}

TEST(processors_are_known_as_far_as_their_files_go) {
    uv_cpu_info_t* list;
    int count;
    put("stat", "cpu 1 2 3 4 5 6\ncpu0 100 200 300 400 500 600 7\ncpu1 1 2\ncpux 1 2 3 4 5 6\n"
                "cpu3 1 2 3 4 5 6\n");
    put("models", "model name : nobody's\nprocessor : 0\nmodel name : First\ncpu MHz : 1000.5\n"
                  "processor : 2\nmodel name : Third\nprocessor : 9\nmodel name : Ninth\n");
    shown_stat = "stat";
    shown_model = "models";
    CHECK_OK(uv_cpu_info(&list, &count));
    CHECK_EQ(count, 2);
    CHECK_STR(list[0].model, "First");
    CHECK_EQ(list[0].speed, 1000);
    CHECK_EQ(list[0].cpu_times.user, 1000);
    CHECK_EQ(list[0].cpu_times.nice, 2000);
    CHECK_EQ(list[0].cpu_times.sys, 3000);
    CHECK_EQ(list[0].cpu_times.idle, 4000);
    CHECK_EQ(list[0].cpu_times.irq, 6000);
    uv_free_cpu_info(list, count);
    shown_model = "missing";
    CHECK_OK(uv_cpu_info(&list, &count));
    CHECK_STR(list[0].model, "unknown");
    CHECK_EQ(list[0].speed, 0);
    uv_free_cpu_info(list, count);
    put("frequency", "2500000\n");
    shown_file = "frequency";
    CHECK_OK(uv_cpu_info(&list, &count));
    CHECK_EQ(list[1].speed, 2500);
    uv_free_cpu_info(list, count);
    put("frequency", "0\n");
    CHECK_OK(uv_cpu_info(&list, &count));
    CHECK_EQ(list[1].speed, 0);
    uv_free_cpu_info(list, count);
    shown_stat = "missing";
    CHECK_EQ(uv_cpu_info(&list, &count), UV_ENOENT);
    CHECK(list == NULL && count == 0);
}

TEST(random_source_that_gives_nothing_is_an_error) {
    char byte;
    gives_nothing = true;
    CHECK_EQ(uv_random(NULL, NULL, &byte, 1, 0, NULL), UV_EIO);
}
