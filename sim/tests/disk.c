/*
 * The first start writes files in several ways past the library and waits to be crashed; the second
 * one shows what is left of them.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uv.h"

#define PAGE ((size_t)4096)

static void by_stdio(const char* path, int sync) {
    FILE* stream = fopen(path, "w");
    if (stream == NULL)
        return;
    fputs("stdio", stream);
    fflush(stream);
    if (sync)
        fsync(fileno(stream));
    fclose(stream);
}

static void by_write(const char* path, int flags, const char* text) {
    int fd = open(path, O_CREAT | O_WRONLY | flags, 0600);
    if (write(fd, text, strlen(text)) < 0)
        perror(path);
    close(fd);
}

static void show(const char* path) {
    char text[64];
    int fd = open(path, O_RDONLY);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof(text)) : 0;
    if (fd < 0) {
        printf("%s is not there\n", path);
        return;
    }
    printf("%s ", path);
    fwrite(text, 1, size > 0 ? (size_t)size : 0, stdout);
    puts(".");
    close(fd);
}

/* Names relative to a folder, and second ones. */
static void by_folder(void) {
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    renameat(folder, "moved-from", folder, "moved-to");
    unlinkat(folder, "removed", 0);
    linkat(folder, "kept", folder, "linked", 0);
    int fd = openat(folder, "in-folder", O_CREAT | O_WRONLY, 0600);
    if (write(fd, "text", 4) < 0)
        perror("in-folder");
    close(fd);
    close(folder);
}

/* Two pages of a mapping are written, one of them synced. */
static void by_mapping(void) {
    int fd = open("mapped", O_RDWR);
    char* bytes = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    bytes[0] = 'a';
    bytes[PAGE] = 'b';
    if (msync(bytes, PAGE, MS_SYNC) != 0)
        perror("msync");
    munmap(bytes, 2 * PAGE);
    close(fd);
}

static void show_mapping(void) {
    char bytes[2] = "";
    int fd = open("mapped", O_RDONLY);
    if (pread(fd, bytes, 1, 0) == 1 && pread(fd, bytes + 1, 1, PAGE) == 1)
        printf("mapped %c%c\n", bytes[0], bytes[1]);
    close(fd);
}

static void on_timer(uv_timer_t* timer) {
    (void)timer;
}

static void on_wait(uv_timer_t* timer) {
    by_stdio("stdio", 0);
    by_stdio("stdio-synced", 1);
    by_write("write", 0, "write");
    by_write("sync", O_SYNC, "sync");
    by_write("dsync", O_DSYNC, "dsync");
    by_write("old", O_TRUNC, "new");
    by_folder();
    by_mapping();
    by_write("half", 0, "unsynced ");
    by_write("half", O_DSYNC | O_APPEND, "synced");
    uv_timer_start(timer, on_timer, 1000, 1000);
}

/* A stream that is closed, and one that is flushed, on a disk that is full now and then. */
static int until_full(void) {
    int closed = 0, flushed = 0;
    for (int i = 0; i < 500 && (closed == 0 || flushed == 0); i++) {
        usleep(1000);
        FILE* stream = fopen("stream", "w");
        if (stream == NULL)
            continue;
        fputs("text", stream);
        if (i % 2 == 0 && fflush(stream) == EOF && errno == ENOSPC)
            flushed = ferror(stream) != 0;
        if (fclose(stream) == EOF && errno == ENOSPC && i % 2 != 0)
            closed = 1;
    }
    printf("full: closed %d, flushed %d\n", closed, flushed);
    return 0;
}

int main(int argc, char** argv) {
    (void)argv;
    if (argc > 1)
        return until_full();
    static const char* const files[] = {"stdio",   "stdio-synced", "write",      "sync",
                                        "dsync",   "old",          "moved-from", "moved-to",
                                        "removed", "linked",       "in-folder",  "half"};
    uv_timer_t timer;
    if (access("started", F_OK) == 0) {
        uv_run(uv_default_loop(), UV_RUN_NOWAIT);
        show_mapping();
        for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
            show(files[i]);
        return 0;
    }
    by_write("started", O_SYNC, "yes");
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_wait, 10, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
