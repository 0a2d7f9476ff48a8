#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "launch.h"
#include "read/memory.h"

static const char usage[] =
    "Usage: phasor run --attachable [--] PROGRAM [ARGUMENTS]\n"
    "Runs the program as it is, on its own libuv, so that phasor attach, top and watch can join "
    "it\n"
    "later without loading anything into it, and where the system allows debuggers their own\n"
    "children only (kernel.yama.ptrace_scope is 1). It costs nothing until then.\n";

static int complain(const char* what) {
    fprintf(stderr, "phasor run: %s\n%s", what, usage);
    return 2;
}

/* What is preloaded lies beside the recorder. */
static void set_environment(const struct launch* launch) {
    const char* before = getenv("LD_PRELOAD");
    int folder = (int)(strrchr(launch->library, '/') - launch->library);
    bool more = before != NULL && *before != '\0';
    char* list;
    if (asprintf(&list, "%.*s/phasor/libphasor-join.so%s%s", folder, launch->library,
                 more ? ":" : "", more ? before : "") < 0)
        must(NULL);
    setenv("LD_PRELOAD", list, 1);
    setenv("PHASOR_ATTACHABLE", "1", 1);
    free(list);
}

int phasor_run(int argc, char** argv) {
    static struct launch launch = {.command = "run"};
    int at = 2;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc < 2 || strcmp(argv[1], "--attachable") != 0)
        return complain("--attachable is the only way so far");
    if (at < argc && strcmp(argv[at], "--") == 0)
        at++;
    if (at == argc)
        return complain("which program?");
    launch.arguments = argv + at;
    int status = launch_find(&launch);
    if (status != 0)
        return status;
    set_environment(&launch);
    execv(launch.program, launch.arguments);
    return launch_failed(&launch);
}
