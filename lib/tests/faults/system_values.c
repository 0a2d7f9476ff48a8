// wrap: open read fopen gethostname getifaddrs freeifaddrs sysinfo nanosleep
// wrap: dlopen dlsym dlerror dlclose
/* What the system says, to the last byte: its answers are made up here. */

#include <dlfcn.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "guarded.h"
#include "refuse.h"
#include "system/procfile.h"

/* Files of the kernel that are shown are in the test's folder, with '_' for '/'. */
static bool shows_files;
static size_t read_at_once; /* bytes; 0: any */

static const char* shown(const char* path, char* name, size_t size) {
    if (!shows_files || path[0] != '/')
        return path;
    snprintf(name, size, "%s", path);
    for (char* slash; (slash = strchr(name, '/')) != NULL;)
        *slash = '_';
    return name;
}

static void put(const char* path, const char* text) {
    char name[256];
    shows_files = true;
    int fd = open(shown(path, name, sizeof(name)), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, int mode);
int __wrap_open(const char* path, int flags, int mode) {
    char name[256];
    return __real_open(shown(path, name, sizeof(name)), flags, mode);
}

FILE* __real_fopen(const char* path, const char* mode);
FILE* __wrap_fopen(const char* path, const char* mode);
FILE* __wrap_fopen(const char* path, const char* mode) {
    char name[256];
    return __real_fopen(shown(path, name, sizeof(name)), mode);
}

ssize_t __real_read(int fd, void* bytes, size_t size);
ssize_t __wrap_read(int fd, void* bytes, size_t size);
ssize_t __wrap_read(int fd, void* bytes, size_t size) {
    return __real_read(fd, bytes, read_at_once != 0 && size > read_at_once ? read_at_once : size);
}

/* Hidden files are those of the test's own folder: the machine's are there again afterwards. */
static void show_all(void) {
    shows_files = false;
    read_at_once = 0;
}

__attribute__((constructor)) static void show_all_at_exit(void) {
    atexit(show_all);
}

TEST(file_of_the_kernel_fills_the_room_and_no_byte_more) {
    static const char content[] = "0123456789";
    for (read_at_once = 0; read_at_once < 4; read_at_once++) {
        put("file", content);
        for (size_t size = 1; size < 14; size++) {
            char text[16];
            size_t length = size - 1 < 10 ? size - 1 : 10;
            memset(text, '#', sizeof(text));
            CHECK_EQ(ph_procfile_read("file", text, size), length);
            CHECK_EQ(strlen(text), length);
            CHECK_EQ(memcmp(text, content, length), 0);
            CHECK_EQ(text[length + 1], '#');
        }
    }
}

TEST(processors_are_told_with_their_times_models_and_speeds) {
    uv_cpu_info_t* list;
    int count;
    guard_memory();
    put("/proc/stat", "cpu  9 9 9 9 9 9 9\ncpu0 1 2 3 4 5 6 7\ncpu2 10 20 30 40 50 60 70\n"
                      "cpu5 1 1 1 1 1 1 1\nintr 8 8 8 8 8 8 8\n");
    put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: One A\ncpu MHz\t\t: 1500.700\n\n"
                         "processor\t: 2\nmodel name\t: B\ncpu MHz\t\t: 2600.200\n\n"
                         "processor\t: 7\nmodel name\t: Nobody's\ncpu MHz\t\t: 1.0\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2400000\n");
    put("/sys/devices/system/cpu/cpu2/cpufreq/scaling_cur_freq", "0\n");
    put("/sys/devices/system/cpu/cpu5/cpufreq/scaling_cur_freq", "7");
    CHECK_OK(uv_cpu_info(&list, &count));
    CHECK_EQ(count, 3);
    CHECK_STR(list[0].model, "One A");
    CHECK_STR(list[1].model, "B");
    CHECK_STR(list[2].model, "unknown");
    CHECK_EQ(list[0].speed, 2400);
    CHECK_EQ(list[1].speed, 2600);
    CHECK_EQ(list[2].speed, 0);
    uint64_t tick = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    CHECK_EQ(list[1].cpu_times.user, 10 * tick);
    CHECK_EQ(list[1].cpu_times.nice, 20 * tick);
    CHECK_EQ(list[1].cpu_times.sys, 30 * tick);
    CHECK_EQ(list[1].cpu_times.idle, 40 * tick);
    CHECK_EQ(list[1].cpu_times.irq, 60 * tick);
    uv_free_cpu_info(list, count);
    put("/proc/cpuinfo", "processor\t: 5\nmodel name\t: Five E\ncpu MHz\t\t: 500.0\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "-5\n");
    put("/sys/devices/system/cpu/cpu5/cpufreq/scaling_cur_freq", "9");
    CHECK_OK(uv_cpu_info(&list, &count));
    CHECK_STR(list[0].model, "unknown");
    CHECK_STR(list[1].model, "unknown");
    CHECK_STR(list[2].model, "Five E");
    CHECK_EQ(list[0].speed, 0);
    CHECK_EQ(list[2].speed, 0);
    uv_free_cpu_info(list, count);
    CHECK_EQ(held, 0);
}

int __wrap_gethostname(char* name, size_t size);
int __wrap_gethostname(char* name, size_t size) {
    memset(name, 'h', size); /* a name that is cut has no NUL */
    return 0;
}

TEST(name_of_the_host_that_is_cut_ends) {
    char name[UV_MAXHOSTNAMESIZE + 8];
    size_t size = sizeof(name);
    CHECK_OK(uv_os_gethostname(name, &size));
    CHECK_EQ(size, UV_MAXHOSTNAMESIZE - 1);
    CHECK_EQ(strlen(name), size);
}

static unsigned long shown_loads[3];
int __real_sysinfo(struct sysinfo* info);
int __wrap_sysinfo(struct sysinfo* info);
int __wrap_sysinfo(struct sysinfo* info) {
    memset(info, 0xff, sizeof(*info));
    for (int i = 0; i < 3; i++)
        info->loads[i] = shown_loads[i];
    return 0;
}

TEST(load_without_its_file_is_the_kernels_in_65536ths) {
    double load[4] = {-1, -1, -1, -1};
    shows_files = true; /* and there is none */
    for (unsigned i = 0; i < 3; i++)
        shown_loads[i] = (i + 1) << 15;
    uv_loadavg(load);
    CHECK(load[0] == 0.5 && load[1] == 1 && load[2] == 1.5 && load[3] == -1);
}

static struct timespec asked[4];
static int sleeps;
int __wrap_nanosleep(const struct timespec* time, struct timespec* left);
int __wrap_nanosleep(const struct timespec* time, struct timespec* left) {
    asked[sleeps++] = *time;
    if (sleeps == 1) {
        *left = (struct timespec){.tv_nsec = 7};
        errno = EINTR;
        return -1;
    }
    return 0;
}

TEST(sleep_is_as_long_as_was_asked_for_and_goes_on_with_what_is_left) {
    uv_sleep(12345);
    CHECK_EQ(sleeps, 2);
    CHECK_EQ(asked[0].tv_sec, 12);
    CHECK_EQ(asked[0].tv_nsec, 345000000);
    CHECK_EQ(asked[1].tv_sec, 0);
    CHECK_EQ(asked[1].tv_nsec, 7);
    uv_sleep(7000);
    CHECK_EQ(asked[2].tv_sec, 7);
    CHECK_EQ(asked[2].tv_nsec, 0);
}

static struct ifaddrs* shown_interfaces;
static int freed_interfaces;
int __wrap_getifaddrs(struct ifaddrs** list);
int __wrap_getifaddrs(struct ifaddrs** list) {
    *list = shown_interfaces;
    return 0;
}

void __wrap_freeifaddrs(struct ifaddrs* list);
void __wrap_freeifaddrs(struct ifaddrs* list) {
    CHECK(list == shown_interfaces);
    freed_interfaces++;
}

TEST(interfaces_that_run_are_told_with_address_and_mask) {
    enum { ON = IFF_UP | IFF_RUNNING };
    struct sockaddr_in address4 = {.sin_family = AF_INET, .sin_addr = {0x01020304}};
    struct sockaddr_in mask4 = {.sin_family = AF_INET, .sin_addr = {0x05060708}};
    struct sockaddr_in6 address6 = {.sin6_family = AF_INET6, .sin6_addr = {{{9, 8}}}};
    struct sockaddr_in6 mask6 = {.sin6_family = AF_INET6, .sin6_addr = {{{7, 6}}}};
    struct sockaddr_in unspecified = {.sin_family = AF_UNSPEC};
    struct ifaddrs all[] = {
        {NULL, "up", IFF_UP, (struct sockaddr*)&address4, NULL, {NULL}, NULL},
        {NULL, "running", IFF_RUNNING, (struct sockaddr*)&address4, NULL, {NULL}, NULL},
        {NULL, "lo", ON | IFF_LOOPBACK, (struct sockaddr*)&address4, NULL, {NULL}, NULL},
        {NULL, "other", ON, (struct sockaddr*)&unspecified, NULL, {NULL}, NULL},
        {NULL, "eth0", ON, (struct sockaddr*)&address4, NULL, {NULL}, NULL},
        {NULL, "eth1", ON, (struct sockaddr*)&address6, NULL, {NULL}, NULL},
    };
    uv_interface_address_t* list;
    int count;
    all[4].ifa_netmask = (struct sockaddr*)&mask4;
    all[5].ifa_netmask = (struct sockaddr*)&mask6;
    for (int i = 0; i < 5; i++)
        all[i].ifa_next = &all[i + 1];
    shown_interfaces = all;
    guard_memory();
    CHECK_OK(uv_interface_addresses(&list, &count));
    CHECK_EQ(count, 3);
    CHECK_STR(list[0].name, "lo");
    CHECK_STR(list[1].name, "eth0");
    CHECK_STR(list[2].name, "eth1");
    CHECK(list[0].is_internal && !list[1].is_internal && !list[2].is_internal);
    CHECK_EQ(list[0].netmask.netmask4.sin_addr.s_addr, 0);
    CHECK_EQ(memcmp(&list[1].address.address4, &address4, sizeof(address4)), 0);
    CHECK_EQ(memcmp(&list[1].netmask.netmask4, &mask4, sizeof(mask4)), 0);
    CHECK_EQ(memcmp(&list[2].address.address6, &address6, sizeof(address6)), 0);
    CHECK_EQ(memcmp(&list[2].netmask.netmask6, &mask6, sizeof(mask6)), 0);
    uv_free_interface_addresses(list, count);
    allocations_left = 0;
    CHECK_EQ(uv_interface_addresses(&list, &count), UV_ENOMEM);
    CHECK(list == NULL && count == 0);
    CHECK_EQ(freed_interfaces, 2);
    CHECK_EQ(held, 0);
}

static const char* pending_message; /* of the C library */
static const char* next_message;    /* of the next call that fails */
static void* found;
static int closed_libraries;

void* __wrap_dlopen(const char* name, int flags);
void* __wrap_dlopen(const char* name, int flags) {
    (void)name, (void)flags;
    if (next_message != NULL)
        pending_message = next_message;
    return found;
}

void* __wrap_dlsym(void* handle, const char* name);
void* __wrap_dlsym(void* handle, const char* name) {
    return __wrap_dlopen(handle, name != NULL);
}

char* __wrap_dlerror(void);
char* __wrap_dlerror(void) {
    char* message = (char*)(uintptr_t)pending_message;
    pending_message = NULL;
    return message;
}

int __wrap_dlclose(void* handle);
int __wrap_dlclose(void* handle) {
    CHECK(handle == &found);
    closed_libraries++;
    return 0;
}

TEST(library_keeps_the_last_error_and_nothing_else) {
    uv_lib_t lib;
    void* symbol = &lib;
    guard_memory();
    found = &found;
    CHECK_OK(uv_dlopen("library", &lib));
    found = NULL;
    pending_message = "of the program's own call";
    CHECK_OK(uv_dlsym(&lib, "null", &symbol)); /* there are symbols at address 0 */
    CHECK(symbol == NULL);
    CHECK_STR(uv_dlerror(&lib), "no error");
    next_message = "first";
    CHECK_EQ(uv_dlsym(&lib, "missing", &symbol), -1);
    next_message = "second";
    CHECK_EQ(uv_dlsym(&lib, "missing", &symbol), -1);
    CHECK_STR(uv_dlerror(&lib), "second");
    CHECK_EQ(held, 1);
    allocations_left = 0;
    CHECK_EQ(uv_dlsym(&lib, "missing", &symbol), -1);
    CHECK_NE(strcmp(uv_dlerror(&lib), "no error"), 0);
    CHECK_NE(strcmp(uv_dlerror(&lib), "second"), 0);
    CHECK_EQ(held, 0);
    uv_dlclose(&lib);
    CHECK_EQ(closed_libraries, 1);
    allocations_left = -1;
    CHECK_EQ(uv_dlopen("library", &lib), -1);
    CHECK_STR(uv_dlerror(&lib), "second");
    uv_dlclose(&lib);
    CHECK_EQ(closed_libraries, 1);
    CHECK_EQ(held, 0);
}
