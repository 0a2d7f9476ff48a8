/* Prints what a program can learn about the machine, the time and chance, by every way there is. */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "uv.h"

static void show(const char* name, const void* bytes, size_t size) {
    printf("%s ", name);
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char*)bytes)[i]);
    puts("");
}

static void chance(void) {
    unsigned char bytes[8] = {0};
    int fd = open("/dev/urandom", O_RDONLY);
    if (read(fd, bytes, sizeof(bytes)) == sizeof(bytes))
        show("/dev/urandom", bytes, sizeof(bytes));
    close(fd);
    FILE* stream = fopen("/dev/urandom", "r");
    if (stream != NULL && fread(bytes, 1, sizeof(bytes), stream) == sizeof(bytes))
        show("/dev/urandom by stdio", bytes, sizeof(bytes));
    if (stream != NULL)
        fclose(stream);
    syscall(SYS_getrandom, bytes, sizeof(bytes), 0);
    show("SYS_getrandom", bytes, sizeof(bytes));
    if (getentropy(bytes, sizeof(bytes)) == 0)
        show("getentropy", bytes, sizeof(bytes));
}

static void clocks(void) {
    struct timespec now = {0};
    struct rusage usage;
    struct tms spent;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    printf("SYS_clock_gettime %ld\n", (long)now.tv_sec);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    printf("processor %ld.%09ld %ld\n", (long)now.tv_sec, now.tv_nsec, (long)clock());
    getrusage(RUSAGE_SELF, &usage);
    printf("usage %ld %ld %ld\n", (long)usage.ru_utime.tv_sec, usage.ru_maxrss, usage.ru_minflt);
    printf("times %ld\n", (long)times(&spent));
}

static void machine(void) {
    char name[64] = "";
    struct utsname system;
    struct sysinfo info;
    double uptime = 0, load[3];
    size_t resident = 0;
    gethostname(name, sizeof(name));
    uname(&system);
    sysinfo(&info);
    uv_uptime(&uptime);
    uv_loadavg(load);
    uv_resident_set_memory(&resident);
    printf("names %s %s\n", name, system.nodename);
    printf("up %ld %.2f, load %.2f\n", info.uptime, uptime, load[0]);
    printf("memory %llu %llu %lu %zu\n", (unsigned long long)uv_get_free_memory(),
           (unsigned long long)uv_get_total_memory(), info.freeram, resident);
    snprintf(name, sizeof(name), "/proc/%d/comm", (int)getpid());
    printf("numbers %d %d %d, it is there: %d %d\n", (int)getpid(), (int)getppid(), uv_os_getpid(),
           kill(getpid(), 0), access("/proc/self/comm", R_OK));
    int fd = open(name, O_RDONLY);
    printf("by its number: %d\n", fd >= 0);
    close(fd);
}

static void files(void) {
    struct stat info;
    uv_fs_t request;
    FILE* stream = fopen("by-stdio", "w");
    if (stream != NULL) {
        fputs("text", stream);
        fclose(stream);
    }
    stat("by-stdio", &info);
    printf("times %ld %ld %ld\n", (long)info.st_atime, (long)info.st_mtime, (long)info.st_ctime);
    uv_buf_t text = uv_buf_init((char*)(uintptr_t) "text", 4);
    int fd = uv_fs_open(NULL, &request, "by-library", O_CREAT | O_WRONLY, 0600, NULL);
    uv_fs_write(NULL, &request, fd, &text, 1, -1, NULL);
    uv_fs_fstat(NULL, &request, fd, NULL);
    printf("times %ld %ld %ld %ld\n", request.statbuf.st_atim.tv_sec,
           request.statbuf.st_mtim.tv_sec, request.statbuf.st_ctim.tv_sec,
           request.statbuf.st_birthtim.tv_sec);
}

int main(void) {
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    chance();
    clocks();
    machine();
    files();
    return 0;
}
