// wrap: open read getpwuid_r getgrgid_r clock_gettime sysinfo getrandom nanosleep
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

REPLACE(int, open, (const char* path, int flags, int mode), path, flags, mode)
REPLACE(ssize_t, read, (int fd, void* buffer, size_t size), fd, buffer, size)
REPLACE(int, clock_gettime, (clockid_t clock, struct timespec* time), clock, time)
REPLACE(int, sysinfo, (struct sysinfo * info), info)
REPLACE(ssize_t, getrandom, (void* buffer, size_t size, unsigned flags), buffer, size, flags)
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

static ssize_t read_text(size_t size, char* text) {
    return ph_procfile_read("file", text, size);
}

TEST(file_of_the_kernel_is_read_to_its_end_or_as_far_as_there_is_room) {
    char text[64];
    FILE* file = fopen("file", "we");
    fputs("12345678", file);
    fclose(file);
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

TEST(sleep_ends_when_the_kernel_refuses_it) {
    refuse("nanosleep", 0, 1, EINVAL);
    uv_sleep(3600 * 1000);
    CHECK_EQ(refusal.count, 1);
}
