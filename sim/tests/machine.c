/* Prints what a program can learn about the machine, the time and chance, by every way there is. */

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

/* Names, numbers and the order of files, and the room on their disk. */
static void folder(void) {
    char name[] = "folder-XXXXXX", file[] = "file-XXXXXX.text", path[64];
    struct statvfs room;
    struct stat info;
    uv_fs_t request;
    uv_fs_mkdtemp(NULL, &request, "library-XXXXXX", NULL);
    printf("temporary %s %s %d\n", mkdtemp(name), request.path, mkstemps(file, 5) >= 0);
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof(path), "%s/%d", name, i * 7919 % 10);
        fclose(fopen(path, "w"));
    }
    uv_dirent_t entry;
    uv_fs_scandir(NULL, &request, name, 0, NULL);
    printf("order of names");
    while (uv_fs_scandir_next(&request, &entry) == 0)
        printf(" %s", entry.name);
    DIR* list = opendir(name);
    for (const struct dirent* one; (one = readdir(list)) != NULL;)
        printf(" %s", one->d_name);
    rewinddir(list);
    long begin = telldir(list);
    const char* first = readdir(list)->d_name;
    printf(", the first %s", first);
    seekdir(list, begin);
    printf(", again %d\n", strcmp(readdir(list)->d_name, first));
    closedir(list);
    stat(path, &info);
    uv_fs_stat(NULL, &request, path, NULL);
    statvfs(".", &room);
    printf("file %lu %lu of %lu, %ld blocks\n", (unsigned long)info.st_ino,
           (unsigned long)request.statbuf.st_ino, (unsigned long)info.st_dev, (long)info.st_blocks);
    printf("disk %lu %lu\n", (unsigned long)room.f_bfree, (unsigned long)room.f_ffree);
    uv_fs_statfs(NULL, &request, ".", NULL);
    printf("disk %lu\n", (unsigned long)((uv_statfs_t*)request.ptr)->f_bfree);
}

static void* thread_number(void* unused) {
    printf("thread %d %ld\n", (int)gettid(), syscall(SYS_gettid));
    return unused;
}

static void processor(void) {
    pthread_t thread;
    unsigned long bytes = 0;
    show("AT_RANDOM", (void*)getauxval(AT_RANDOM), 8); /* NOLINT */
#ifdef __x86_64__
    __asm__ volatile("rdrand %0" : "=r"(bytes) : : "cc");
#endif
    show("rdrand", &bytes, sizeof(bytes));
    printf("on processor %d, group %d, session %d\n", sched_getcpu(), (int)getpgrp(),
           (int)getsid(0));
    thread_number(NULL);
    pthread_create(&thread, NULL, thread_number, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    chance();
    clocks();
    machine();
    files();
    folder();
    processor();
    return 0;
}
