/* Limits of control groups, and files of the kernel that a container hides or replaces. Each test
 * has its own view of the file system, which needs the right to mount. */

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

/* From here on mounts are this process's own. */
static void enter_own_view(void) {
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        test_skip("mounting is not allowed");
    if (mount("none", "/", "none", MS_REC | MS_PRIVATE, "") != 0)
        test_skip("mounting is not allowed");
}

static void replace(const char* path, const char* by) {
    if (mount(by, path, "none", MS_BIND, "") != 0)
        test_skip("mounting is not allowed");
}

static void write_file(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void replace_text(const char* path, const char* text) {
    static int count;
    char name[32];
    snprintf(name, sizeof(name), "text%d", count++);
    write_file(name, text);
    replace(path, name);
}

/* Writes a file of a control group, with the folders it needs. */
static void put(const char* path, const char* text) {
    char whole[512];
    snprintf(whole, sizeof(whole), "groups/%s", path);
    for (char* slash = whole; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(whole, 0700);
    }
    write_file(whole, text);
}

static void enter_groups(const char* membership) {
    enter_own_view();
    mkdir("groups", 0700);
    replace("/sys/fs/cgroup", "groups");
    replace_text("/proc/self/cgroup", membership);
}

TEST(memory_without_control_groups_is_not_constrained) {
    enter_groups("");
    CHECK_EQ(uv_get_constrained_memory(), 0);
    CHECK_GT(uv_get_available_memory(), 1 << 20);
}

TEST(memory_with_control_groups_but_no_limit_is_the_highest_number) {
    enter_groups("0::/a\n");
    put("a/memory.max", "max\n");
    put("a/memory.high", "max\n");
    put("a/memory.current", "1000\n");
    CHECK(uv_get_constrained_memory() == UINT64_MAX);
    CHECK_GT(uv_get_available_memory(), 1 << 20);
}

TEST(memory_limit_of_version_2_is_the_lowest_of_all_levels) {
    enter_groups("0::/a/b\n");
    put("a/b/memory.max", "50000\n");
    put("a/b/memory.high", "max\n");
    put("a/b/memory.current", "1000\n");
    CHECK_EQ(uv_get_constrained_memory(), 50000);
    CHECK_EQ(uv_get_available_memory(), 49000);
    put("a/memory.max", "max\n");
    put("a/memory.high", "30000\n");
    put("a/memory.current", "29000\n");
    CHECK_EQ(uv_get_constrained_memory(), 30000);
    CHECK_EQ(uv_get_available_memory(), 1000);
    put("a/memory.current", "31000\n");
    CHECK_EQ(uv_get_available_memory(), 0);
}

TEST(memory_limit_of_version_1_is_found_by_its_controller) {
    enter_groups("9:name=systemd:/x\n4:hugetlb,memory:/a\n3:memory_not:/b\n0::/\n");
    put("memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/a/memory.soft_limit_in_bytes", "9223372036854771712\n");
    put("memory/a/memory.usage_in_bytes", "4096\n");
    CHECK(uv_get_constrained_memory() == UINT64_MAX);
    put("memory/a/memory.limit_in_bytes", "40960\n");
    CHECK_EQ(uv_get_constrained_memory(), 40960);
    CHECK_EQ(uv_get_available_memory(), 36864);
    put("memory/memory.limit_in_bytes", "20480\n");
    CHECK_EQ(uv_get_constrained_memory(), 20480);
}

TEST(memory_limit_is_found_above_a_group_that_cannot_be_seen) {
    enter_groups("0::/outside/of/the/container\n");
    put("memory.max", "20000\n");
    put("memory.current", "5000\n");
    CHECK_EQ(uv_get_constrained_memory(), 20000);
    CHECK_EQ(uv_get_available_memory(), 15000);
}

static unsigned int affinity(void) {
    cpu_set_t set;
    CHECK_OK(sched_getaffinity(0, sizeof(set), &set));
    if (CPU_COUNT(&set) < 2)
        test_skip("there is only one processor");
    return (unsigned int)CPU_COUNT(&set);
}

TEST(parallelism_follows_the_quota_of_version_2) {
    unsigned int processors = affinity();
    enter_groups("0::/a/b\n");
    CHECK_EQ(uv_available_parallelism(), processors);
    put("a/b/cpu.max", "max 100000\n");
    CHECK_EQ(uv_available_parallelism(), processors);
    put("a/cpu.max", "190000 100000\n");
    CHECK_EQ(uv_available_parallelism(), 1);
    put("a/cpu.max", "200000 100000\n");
    CHECK_EQ(uv_available_parallelism(), 2);
    put("a/b/cpu.max", "10000 100000\n");
    CHECK_EQ(uv_available_parallelism(), 1);
    put("a/b/cpu.max", "100000000 100000\n");
    put("a/cpu.max", "100000000 100000\n");
    CHECK_EQ(uv_available_parallelism(), processors);
}

TEST(parallelism_follows_the_quota_of_version_1) {
    unsigned int processors = affinity();
    enter_groups("3:cpuset:/z\n2:cpu,cpuacct:/a\n0::/\n");
    put("cpu/a/cpu.cfs_quota_us", "-1\n");
    put("cpu/a/cpu.cfs_period_us", "50000\n");
    CHECK_EQ(uv_available_parallelism(), processors);
    put("cpu/a/cpu.cfs_quota_us", "75000\n");
    CHECK_EQ(uv_available_parallelism(), 1);
    put("cpu/a/cpu.cfs_period_us", "0\n");
    CHECK_EQ(uv_available_parallelism(), processors);
}

TEST(rubbish_in_control_groups_is_no_limit) {
    unsigned int processors = affinity();
    enter_groups("rubbish\n:\n::\n0:\n0::/a:b\n");
    put("a:b/memory.max", "rubbish\n");
    put("a:b/memory.high", "");
    put("a:b/cpu.max", "rubbish\n");
    CHECK_EQ(uv_get_constrained_memory(), 0);
    CHECK_EQ(uv_available_parallelism(), processors);
    put("a:b/memory.max", "1000\n");
    CHECK_EQ(uv_get_constrained_memory(), 1000);
}

TEST(memory_of_the_machine_is_known_without_meminfo) {
    struct sysinfo info;
    enter_own_view();
    replace_text("/proc/meminfo", "");
    CHECK_OK(sysinfo(&info));
    CHECK_EQ(uv_get_total_memory(), (uint64_t)info.totalram * info.mem_unit);
    CHECK_GT(uv_get_free_memory(), 0);
    CHECK_LE(uv_get_free_memory(), uv_get_total_memory());
}

TEST(memory_of_a_container_is_what_its_meminfo_says) {
    enter_own_view();
    replace_text("/proc/meminfo", "MemTotal:       2000 kB\nMemFree:         10 kB\n"
                                  "MemAvailable:    500 kB\n");
    CHECK_EQ(uv_get_total_memory(), 2000 * 1024);
    CHECK_EQ(uv_get_free_memory(), 500 * 1024);
}

TEST(load_and_uptime_of_a_container_are_what_its_files_say) {
    double load[3], uptime;
    enter_own_view();
    replace_text("/proc/loadavg", "1.50 2.25 3.00 1/100 1234\n");
    replace_text("/proc/uptime", "12.50 99.00\n");
    uv_loadavg(load);
    CHECK(load[0] == 1.5 && load[1] == 2.25 && load[2] == 3);
    CHECK_OK(uv_uptime(&uptime));
    CHECK(uptime == 12.5);
}

TEST(load_and_uptime_are_known_without_their_files) {
    double load[3] = {-1, -1, -1}, uptime = -1;
    enter_own_view();
    replace_text("/proc/loadavg", "");
    replace_text("/proc/uptime", "");
    uv_loadavg(load);
    for (int i = 0; i < 3; i++)
        CHECK(load[i] >= 0);
    CHECK_OK(uv_uptime(&uptime));
    CHECK(uptime > 0);
}

TEST(cpu_info_matches_processors_by_their_numbers) {
    uv_cpu_info_t* infos;
    int count;
    enter_own_view();
    mkdir("empty", 0700);
    replace("/sys/devices/system/cpu", "empty");
    replace_text("/proc/stat", "cpu  9 9 9 9 9 9 9 0 0 0\n"
                               "cpu0 1 2 3 4 5 6 7 0 0 0\n"
                               "cpu2 10 20 30 40 50 60 70 0 0 0\n"
                               "cpu7 100 200 300 400 500 600 700 0 0 0\n"
                               "intr 1 2 3\nctxt 1\n");
    replace_text("/proc/cpuinfo",
                 "processor\t: 0\nmodel name\t: First Model @ 1.00GHz\n"
                 "cpu MHz\t\t: 1000.500\n\n"
                 "processor\t: 7\nmodel name\t: Last Model\ncpu MHz\t\t: 7000\n\n");
    CHECK_OK(uv_cpu_info(&infos, &count));
    CHECK_EQ(count, 3);
    CHECK_STR(infos[0].model, "First Model @ 1.00GHz");
    CHECK_EQ(infos[0].speed, 1000);
    CHECK_STR(infos[1].model, "unknown");
    CHECK_EQ(infos[1].speed, 0);
    CHECK_STR(infos[2].model, "Last Model");
    CHECK_EQ(infos[2].speed, 7000);
    uint64_t unit = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    CHECK_EQ(infos[1].cpu_times.user, 10 * unit);
    CHECK_EQ(infos[1].cpu_times.nice, 20 * unit);
    CHECK_EQ(infos[1].cpu_times.sys, 30 * unit);
    CHECK_EQ(infos[1].cpu_times.idle, 40 * unit);
    CHECK_EQ(infos[1].cpu_times.irq, 60 * unit);
    uv_free_cpu_info(infos, count);
}

TEST(cpu_info_of_an_empty_file_is_an_error) {
    uv_cpu_info_t* infos = (void*)-1;
    int count = -1;
    enter_own_view();
    replace_text("/proc/stat", "cpu 1 2 3 4 5 6 7\n");
    CHECK_LT(uv_cpu_info(&infos, &count), 0);
    CHECK(infos == NULL);
    CHECK_EQ(count, 0);
}

TEST(resident_memory_without_its_file_is_an_error) {
    size_t rss = 7;
    enter_own_view();
    replace_text("/proc/self/statm", "");
    CHECK_LT(uv_resident_set_memory(&rss), 0);
    CHECK_EQ(rss, 7);
}

TEST(passwd_longer_than_the_first_buffer_is_given_whole) {
    static char text[30000], name[20001];
    uv_passwd_t pwd;
    memset(name, 'n', 20000);
    snprintf(text, sizeof(text), "root:x:0:0:%s:/root:/bin/sh\nlong:x:4321:99:c:/%s:/bin/sh\n", "c",
             name);
    enter_own_view();
    replace_text("/etc/passwd", text);
    CHECK_OK(uv_os_get_passwd2(&pwd, 4321));
    CHECK_STR(pwd.username, "long");
    CHECK_EQ(strlen(pwd.homedir), 20001);
    CHECK_STR(pwd.shell, "/bin/sh");
    CHECK_EQ(pwd.gid, 99);
    uv_os_free_passwd(&pwd);
}

TEST(group_with_a_thousand_members_is_given_whole) {
    static char text[30000];
    uv_group_t grp;
    size_t length = (size_t)sprintf(text, "crowd:x:4321:");
    for (int i = 0; i < 1000; i++)
        length += (size_t)sprintf(text + length, "%smember%d", i == 0 ? "" : ",", i);
    strcpy(text + length, "\nalone:x:4322:\n");
    enter_own_view();
    replace_text("/etc/group", text);
    CHECK_OK(uv_os_get_group(&grp, 4321));
    CHECK_STR(grp.groupname, "crowd");
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof(name), "member%d", i);
        CHECK_STR(grp.members[i], name);
    }
    CHECK(grp.members[1000] == NULL);
    uv_os_free_group(&grp);
    CHECK_OK(uv_os_get_group(&grp, 4322));
    CHECK(grp.members[0] == NULL);
    uv_os_free_group(&grp);
}
