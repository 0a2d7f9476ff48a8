// wrap: uname gethostname clock_gettime getrusage sysinfo getifaddrs readlink sched_getaffinity
/* What the system refuses to say, or says in an unusual way. */

#include <grp.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE(int, uname, (struct utsname * name), name)
REPLACE(int, gethostname, (char* name, size_t size), name, size)
REPLACE(int, clock_gettime, (clockid_t clock, struct timespec* time), clock, time)
REPLACE(int, getrusage, (int who, struct rusage* usage), who, usage)
REPLACE(int, sysinfo, (struct sysinfo * info), info)
REPLACE(ssize_t, readlink, (const char* path, char* buffer, size_t size), path, buffer, size)
REPLACE(int, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t* set), pid, size, set)

static struct ifaddrs* shown_interfaces;
int __real_getifaddrs(struct ifaddrs** list);
int __wrap_getifaddrs(struct ifaddrs** list);

int __wrap_getifaddrs(struct ifaddrs** list) {
    if (is_refused("getifaddrs"))
        return -1;
    if (shown_interfaces == NULL)
        return __real_getifaddrs(list);
    *list = shown_interfaces;
    return 0;
}

static int ask_uname(void) {
    uv_utsname_t name;
    return uv_os_uname(&name);
}

static int ask_host_name(void) {
    char name[UV_MAXHOSTNAMESIZE];
    size_t size = sizeof(name);
    return uv_os_gethostname(name, &size);
}

static int ask_monotonic_clock(void) {
    uv_timespec64_t time;
    return uv_clock_gettime(UV_CLOCK_MONOTONIC, &time);
}

static int ask_wall_clock(void) {
    uv_timeval64_t time;
    return uv_gettimeofday(&time);
}

static int ask_usage(void) {
    uv_rusage_t usage;
    return uv_getrusage(&usage);
}

static int ask_interfaces(void) {
    uv_interface_address_t* list = (void*)1;
    int count = -1;
    int err = uv_interface_addresses(&list, &count);
    CHECK(list == NULL);
    CHECK_EQ(count, 0);
    return err;
}

static int ask_program(void) {
    char path[4096];
    size_t size = sizeof(path);
    return uv_exepath(path, &size);
}

TEST(what_the_kernel_refuses_to_say_is_its_error) {
    static const struct refused_case cases[] = {
        {"uname", 0, EFAULT, ask_uname, UV_EFAULT},
        {"gethostname", 0, EPERM, ask_host_name, UV_EPERM},
        {"clock_gettime", 0, EINVAL, ask_monotonic_clock, UV_EINVAL},
        {"clock_gettime", 0, EPERM, ask_wall_clock, UV_EPERM},
        {"getrusage", 0, EFAULT, ask_usage, UV_EFAULT},
        {"getifaddrs", 0, EMFILE, ask_interfaces, UV_EMFILE},
        {"readlink", 0, EACCES, ask_program, UV_EACCES},
    };
    RUN_CASES(cases);
}

TEST(parallelism_without_the_affinity_is_the_number_of_processors) {
    refuse("sched_getaffinity", 0, -1, ENOSYS);
    CHECK_GE(uv_available_parallelism(), 1);
    CHECK_LE(uv_available_parallelism(), sysconf(_SC_NPROCESSORS_ONLN));
    CHECK_GE(refusal.count, 1);
}

TEST(interfaces_that_are_down_or_have_no_address_are_left_out) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct ifaddrs down = {.ifa_name = "down", .ifa_addr = (struct sockaddr*)&address};
    struct ifaddrs idle = {.ifa_next = &down, .ifa_name = "idle", .ifa_flags = IFF_UP};
    struct ifaddrs bare = {
        .ifa_next = &idle, .ifa_name = "bare", .ifa_flags = IFF_UP | IFF_RUNNING};
    shown_interfaces = &bare;
    CHECK_OK(ask_interfaces());
}

/* The list is not the C library's, so nothing of it may be freed there. */
void freeifaddrs(struct ifaddrs* list) {
    CHECK(list == shown_interfaces);
}

TEST(interfaces_without_a_mask_get_the_family_and_aliases_the_hardware_address) {
    enum { ON = IFF_UP | IFF_RUNNING };
    struct sockaddr_in6 address6 = {.sin6_family = AF_INET6};
    struct sockaddr_in address4 = {.sin_family = AF_INET};
    struct sockaddr_ll link = {.sll_family = AF_PACKET, .sll_addr = {1, 2, 3, 4, 5, 6}};
    struct ifaddrs hardware = {
        .ifa_name = "eth0", .ifa_flags = ON, .ifa_addr = (struct sockaddr*)&link};
    struct ifaddrs other = {.ifa_next = &hardware,
                            .ifa_name = "eth01",
                            .ifa_flags = ON,
                            .ifa_addr = (struct sockaddr*)&address4};
    struct ifaddrs alias = {.ifa_next = &other,
                            .ifa_name = "eth0:1",
                            .ifa_flags = ON,
                            .ifa_addr = (struct sockaddr*)&address4};
    struct ifaddrs first = {.ifa_next = &alias,
                            .ifa_name = "eth0",
                            .ifa_flags = ON,
                            .ifa_addr = (struct sockaddr*)&address6};
    uv_interface_address_t* list;
    int count;
    shown_interfaces = &first;
    CHECK_OK(uv_interface_addresses(&list, &count));
    CHECK_EQ(count, 3);
    CHECK_EQ(list[0].netmask.netmask6.sin6_family, AF_INET6);
    CHECK_EQ(list[1].netmask.netmask4.sin_family, AF_INET);
    CHECK_EQ(list[0].phys_addr[5], 6);
    CHECK_EQ(list[1].phys_addr[5], 6);
    CHECK_EQ(list[2].phys_addr[5], 0);
    uv_free_interface_addresses(list, count);
}
