/* Processors, memory and network interfaces. */

#include <net/if.h>
#include <sched.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

TEST(available_parallelism_is_at_least_one_and_at_most_the_affinity) {
    cpu_set_t set;
    CHECK_OK(sched_getaffinity(0, sizeof(set), &set));
    CHECK_GE(uv_available_parallelism(), 1);
    CHECK_LE(uv_available_parallelism(), CPU_COUNT(&set));
}

TEST(available_parallelism_follows_the_affinity) {
    cpu_set_t set, one;
    int cpu = 0;
    CHECK_OK(sched_getaffinity(0, sizeof(set), &set));
    while (!CPU_ISSET(cpu, &set))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_OK(sched_setaffinity(0, sizeof(one), &one));
    CHECK_EQ(uv_available_parallelism(), 1);
}

TEST(cpu_info_has_an_entry_for_each_processor) {
    uv_cpu_info_t* infos;
    int count;
    CHECK_OK(uv_cpu_info(&infos, &count));
    CHECK_EQ(count, sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < count; i++) {
        CHECK(infos[i].model[0] != '\0');
        CHECK_GE(infos[i].speed, 0);
        CHECK_GT(infos[i].cpu_times.user + infos[i].cpu_times.sys + infos[i].cpu_times.idle, 0);
    }
    uv_free_cpu_info(infos, count);
}

/* User and idle time of the first processor, in ticks. */
static void read_ticks(uint64_t ticks[2]) {
    FILE* file = fopen("/proc/stat", "re");
    unsigned long long user, idle;
    CHECK_EQ(fscanf(file, "cpu %*[^\n] cpu%*u %llu %*u %*u %llu", &user, &idle), 2);
    fclose(file);
    ticks[0] = user;
    ticks[1] = idle;
}

TEST(cpu_times_are_those_of_the_kernel_in_milliseconds) {
    uint64_t before[2], after[2], unit = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    uv_cpu_info_t* infos;
    int count;
    read_ticks(before);
    CHECK_OK(uv_cpu_info(&infos, &count));
    read_ticks(after);
    CHECK_GE(infos[0].cpu_times.user, before[0] * unit);
    CHECK_LE(infos[0].cpu_times.user, after[0] * unit);
    CHECK_GE(infos[0].cpu_times.idle, before[1] * unit);
    CHECK_LE(infos[0].cpu_times.idle, after[1] * unit);
    uv_free_cpu_info(infos, count);
}

TEST(memory_free_is_at_most_the_total) {
    CHECK_GT(uv_get_total_memory(), 1 << 20);
    CHECK_GT(uv_get_free_memory(), 0);
    CHECK_LE(uv_get_free_memory(), uv_get_total_memory());
    long pages = sysconf(_SC_PHYS_PAGES);
    CHECK_EQ(uv_get_total_memory(), (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

TEST(memory_available_is_at_most_the_constraint) {
    uint64_t constrained = uv_get_constrained_memory();
    uint64_t available = uv_get_available_memory();
    CHECK_LE(available, uv_get_total_memory());
    if (constrained > 0)
        CHECK(available <= constrained);
}

TEST(resident_memory_grows_when_pages_are_touched) {
    size_t before = 0, after = 0, size = 32 << 20;
    CHECK_OK(uv_resident_set_memory(&before));
    CHECK_GT(before, 0);
    volatile char* memory = malloc(size);
    for (size_t i = 0; i < size; i += 1024)
        memory[i] = 1;
    CHECK_OK(uv_resident_set_memory(&after));
    CHECK_GE(after, before + size / 2);
    CHECK_EQ(after % (size_t)getpagesize(), 0);
    free((void*)memory);
}

static void check_interface(const uv_interface_address_t* address) {
    char text[INET6_ADDRSTRLEN];
    int family = address->address.address4.sin_family;
    CHECK(family == AF_INET || family == AF_INET6);
    CHECK_EQ(address->netmask.netmask4.sin_family, family);
    CHECK_OK(uv_ip_name((const struct sockaddr*)&address->address, text, sizeof(text)));
    CHECK_OK(uv_ip_name((const struct sockaddr*)&address->netmask, text, sizeof(text)));
    CHECK(if_nametoindex(address->name) != 0 || strchr(address->name, ':') != NULL);
}

TEST(interfaces_hold_the_loopback_address) {
    uv_interface_address_t* addresses;
    int count, loopbacks = 0;
    const char no_hardware[6] = {0};
    CHECK_OK(uv_interface_addresses(&addresses, &count));
    for (int i = 0; i < count; i++) {
        check_interface(&addresses[i]);
        const struct sockaddr_in* address = &addresses[i].address.address4;
        if (address->sin_family == AF_INET && address->sin_addr.s_addr == htonl(INADDR_LOOPBACK)) {
            loopbacks++;
            CHECK(addresses[i].is_internal);
            CHECK(memcmp(addresses[i].phys_addr, no_hardware, 6) == 0);
            CHECK_EQ(addresses[i].netmask.netmask4.sin_addr.s_addr, htonl(0xFF000000));
        }
    }
    uv_free_interface_addresses(addresses, count);
    if (loopbacks == 0)
        test_skip("there is no loopback interface");
    CHECK_EQ(loopbacks, 1);
}
