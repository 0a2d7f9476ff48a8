/* phasor play: a program, its loop and all its queues on a page. The server is a program of our own
 * runtime (play/server); this finds it. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "events/events.h"

enum { STATUS_USAGE = 2 };

__attribute__((weak)) int ph_runtime_main(int argc, char** argv);

static const char usage[] =
    "Usage: phasor play [OPTIONS] [FILE.js | FILE.c]\n"
    "Shows a program on a page: the loop's phases, its queues and the pool, step by step, forward\n"
    "and back. The program runs in a simulated world, in virtual time.\n"
    "  --port N        the port of the page on 127.0.0.1 (any free one)\n"
    "  --no-open       does not open a browser\n"
    "  --seed N        the seed of the world (1)\n"
    "  --save PAGE     writes one HTML file that needs no server, and ends\n"
    "  --events        prints what happened, a line of JSON for each event, and ends\n"
    "  --language TAG  of the page: en or zh (the browser's)\n";

/* --merge RECORDING NOTES: for the server. */
static int write_events(const char* recording, const char* notes) {
    char error[256];
    if (play_write_events(recording, notes, stdout, error, sizeof(error)))
        return fflush(stdout) == 0 ? 0 : 1;
    fprintf(stderr, "phasor play: %s\n", error);
    return 1;
}

/* The server's files, beside the command as it is built and installed. */
static bool find_server(char* path, size_t size) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    snprintf(path, size, "%.*s/../share/phasor/play/server/main.js",
             (int)(strrchr(self, '/') - self), self);
    if (access(path, R_OK) == 0)
        return true;
    fprintf(stderr, "phasor play: %s is not there\n", path);
    return false;
}

int phasor_play(int argc, char** argv) {
    static char server[PATH_MAX * 2];
    if (argc == 4 && strcmp(argv[1], "--merge") == 0)
        return write_events(argv[2], argv[3]);
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (ph_runtime_main == NULL) {
        fprintf(stderr, "phasor play: this phasor has no JavaScript runtime, which serves the "
                        "page\n");
        return STATUS_USAGE;
    }
    if (!find_server(server, sizeof(server)))
        return 1;
    char** all = calloc((size_t)argc + 2, sizeof(*all));
    if (all == NULL)
        abort();
    all[0] = argv[-1];
    all[1] = server;
    memcpy(all + 2, argv + 1, (size_t)(argc - 1) * sizeof(*all));
    return ph_runtime_main(argc + 1, all);
}
