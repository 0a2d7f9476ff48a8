/* Limits of control groups, from folders that look like the system's. */

#include "system/cgroup.h"

#include <sys/stat.h>

#include "harness.h"

/* Writes a file under "root", with the folders it needs. */
static void put(const char* path, const char* text) {
    char whole[8192];
    snprintf(whole, sizeof(whole), "root/%s", path);
    for (char* slash = whole; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(whole, 0700);
    }
    FILE* file = fopen(whole, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void check_memory(uint64_t limit, uint64_t left) {
    struct ph_cgroup_memory memory = ph_cgroup_memory("root");
    CHECK_EQ(memory.limit, limit);
    CHECK_EQ(memory.left, left);
}

static void check_cpus(double expected) {
    double cpus = ph_cgroup_cpus("root");
    CHECK(cpus > expected - 1e-9 && cpus < expected + 1e-9);
}

TEST(without_control_groups_nothing_is_known) {
    check_memory(0, UINT64_MAX);
    check_cpus(0);
    put("proc/self/cgroup", "");
    check_memory(0, UINT64_MAX);
    check_cpus(0);
    put("proc/self/cgroup", "rubbish\n:\n::\n0:\n");
    check_memory(0, UINT64_MAX);
    check_cpus(0);
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", "7"); /* whoever wrote that left out the end of the line */
    put("sys/fs/cgroup/a/cpu.max", "100 100\n");
    check_memory(7, 7);
    check_cpus(1);
    CHECK_OK(remove("root/proc/self/cgroup"));
    check_memory(0, UINT64_MAX);
    check_cpus(0);
}

TEST(version_2_takes_the_lower_of_max_and_high) {
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", "1000\n");
    put("sys/fs/cgroup/a/memory.high", "max\n");
    put("sys/fs/cgroup/a/memory.current", "400\n");
    check_memory(1000, 600);
    put("sys/fs/cgroup/a/memory.high", "700\n");
    check_memory(700, 300);
    put("sys/fs/cgroup/a/memory.current", "800\n");
    check_memory(700, 0);
}

TEST(version_2_without_a_limit_is_known_to_have_none) {
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", "max\n");
    put("sys/fs/cgroup/a/memory.current", "400\n");
    check_memory(UINT64_MAX, UINT64_MAX);
}

TEST(version_2_takes_the_lowest_limit_of_all_levels) {
    put("proc/self/cgroup", "0::/a/b/c\n");
    put("sys/fs/cgroup/a/b/c/memory.max", "5000\n");
    put("sys/fs/cgroup/a/b/c/memory.current", "100\n");
    put("sys/fs/cgroup/a/b/memory.max", "max\n");
    put("sys/fs/cgroup/a/memory.max", "3000\n");
    put("sys/fs/cgroup/a/memory.current", "2500\n");
    check_memory(3000, 500);
    put("sys/fs/cgroup/a/b/c/memory.current", "4900\n");
    check_memory(3000, 100);
}

TEST(version_2_goes_up_from_a_folder_that_cannot_be_seen) {
    put("proc/self/cgroup", "0::/outside/of/the/container\n");
    put("sys/fs/cgroup/memory.max", "2000\n");
    put("sys/fs/cgroup/memory.current", "500\n");
    put("sys/fs/cgroup/cpu.max", "200000 100000\n");
    check_memory(2000, 1500);
    check_cpus(2);
}

TEST(version_1_takes_the_lowest_limit_of_all_levels) {
    put("proc/self/cgroup", "9:name=systemd:/x\n4:hugetlb,memory:/a/b\n2:cpu,cpuacct:/c\n0::/\n");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/b/memory.soft_limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "10\n");
    check_memory(UINT64_MAX, UINT64_MAX);
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4096000\n");
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "96000\n");
    check_memory(4096000, 4000000);
    put("sys/fs/cgroup/memory/a/b/memory.soft_limit_in_bytes", "1000\n");
    check_memory(1000, 990);
    put("sys/fs/cgroup/memory/a/b/memory.max", "1\n"); /* a name of version 2 */
    check_memory(1000, 990);
}

TEST(limit_that_is_all_whole_pages_of_any_size_is_none) {
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", "9223372036854710271\n");
    check_memory(9223372036854710271U, 9223372036854710271U);
    put("sys/fs/cgroup/a/memory.max", "9223372036854710272\n"); /* of 64 KiB */
    check_memory(UINT64_MAX, UINT64_MAX);
    put("sys/fs/cgroup/a/memory.max", "9223372036854771712\n"); /* of 4 KiB */
    check_memory(UINT64_MAX, UINT64_MAX);
}

TEST(version_1_controller_is_preferred_to_version_2) {
    put("proc/self/cgroup", "0::/a\n4:memory:/a\n3:cpuset:/z\n2:cpu:/a\n");
    put("sys/fs/cgroup/a/memory.max", "1\n");
    put("sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000\n");
    put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "300000\n");
    put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    check_memory(2000, 2000);
    check_cpus(3);
}

TEST(controller_is_found_by_its_whole_name) {
    put("proc/self/cgroup", "4:memory_not:/a\n3:cpuset,cpuacct:/a\n");
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000\n");
    put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "300000\n");
    put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    check_memory(0, UINT64_MAX);
    check_cpus(0);
}

TEST(cpu_quota_of_version_2_is_the_lowest_of_all_levels) {
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    check_cpus(0);
    put("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    check_cpus(1.5);
    put("sys/fs/cgroup/a/b/cpu.max", "25000 50000\n");
    check_cpus(0.5);
    put("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
    check_cpus(1.5);
    put("sys/fs/cgroup/a/b/cpu.max", "1 1\n");
    check_cpus(1);
}

TEST(cpu_quota_of_version_1_is_unlimited_when_negative) {
    put("proc/self/cgroup", "2:cpu,cpuacct:/\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    check_cpus(0);
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    check_cpus(0.5);
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "0\n");
    check_cpus(0);
}

TEST(cpu_quota_of_version_1_without_a_period_is_no_limit) {
    put("proc/self/cgroup", "2:cpu,cpuacct:/\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    check_cpus(0);
}

TEST(rubbish_in_the_files_is_no_limit) {
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", "rubbish\n");
    put("sys/fs/cgroup/a/memory.high", "");
    put("sys/fs/cgroup/a/cpu.max", "rubbish\n");
    check_memory(0, UINT64_MAX);
    check_cpus(0);
}

TEST(path_with_colons_and_great_length_is_followed) {
    static char line[5000];
    put("proc/self/cgroup", "0::/a:b\n");
    put("sys/fs/cgroup/a:b/memory.max", "1000\n");
    check_memory(1000, 1000);
    put("sys/fs/cgroup/memory.max", "1500\n");
    memcpy(line, "0::/", 4);
    memset(line + 4, 'x', 4000);
    for (int i = 100; i < 4000; i += 100)
        line[i] = '/';
    put("proc/self/cgroup", line);
    check_memory(1500, 1500);
}

/* A path that the file of limits does not fit behind is the last that is known. */
TEST(path_is_followed_as_far_as_the_kernel_has_paths) {
    static char line[5000], path[6000];
    size_t top = strlen("root/sys/fs/cgroup");
    put("sys/fs/cgroup/memory.max", "1500\n");
    for (size_t length = 4050; length < 4110; length++) {
        memset(line, 'x', sizeof(line));
        for (size_t i = 0; i < length - top; i += 100)
            line[3 + i] = '/';
        memcpy(line, "0::", 3);
        strcpy(line + 3 + length - top, "\n");
        put("proc/self/cgroup", line);
        bool known = length < 4096;
        check_memory(known ? 1500 : 0, known ? 1500 : UINT64_MAX);
    }
    memset(line, 'x', sizeof(line));
    for (size_t i = 0; i < 4070 - top; i += 100)
        line[3 + i] = '/';
    memcpy(line, "0::", 3);
    line[3 + 4070 - top] = '\0';
    put("proc/self/cgroup", line);
    snprintf(path, sizeof(path), "sys/fs/cgroup%s/memory.max", line + 3);
    put(path, "900\n");
    check_memory(900, 900);
}
