/*
 * The first start writes files in several ways past the library and waits to be crashed; the second
 * one shows what is left of them.
 */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "uv.h"

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
    by_write("half", 0, "unsynced ");
    by_write("half", O_DSYNC | O_APPEND, "synced");
    uv_timer_start(timer, on_timer, 1000, 1000);
}

int main(void) {
    static const char* const files[] = {"stdio", "stdio-synced", "write", "sync",
                                        "dsync", "old",          "half"};
    uv_timer_t timer;
    if (access("started", F_OK) == 0) {
        uv_run(uv_default_loop(), UV_RUN_NOWAIT);
        for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
            show(files[i]);
        return 0;
    }
    by_write("started", O_SYNC, "yes");
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_wait, 10, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
