#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "launch.h"
#include "launch/preload.h"

static const char usage[] =
    "Usage: phasor run [--] PROGRAM [ARGUMENTS]\n"
    "       phasor run SCRIPT.js [ARGUMENTS]\n"
    "       phasor run --attachable [--] PROGRAM [ARGUMENTS]\n"
    "Runs the program, and the children that it starts, on our libuv.so.1 instead of the "
    "system's;\n"
    "or JavaScript in our runtime. The program takes the place of this command: signals and the\n"
    "exit status are its own.\n"
    "  --attachable  on the program's own libuv instead, so that phasor attach, top and watch can\n"
    "                join it later without loading anything into it, and where the system allows\n"
    "                debuggers their own children only (kernel.yama.ptrace_scope is 1). It costs\n"
    "                nothing until then.\n";

static int complain(const char* what, const char* about) {
    fprintf(stderr, "phasor run: %s%s\n%s", what, about, usage);
    return 2;
}

/* What is preloaded lies beside the recorder. */
static void preload_what_joins(const struct launch* launch) {
    setenv("PHASOR_ATTACHABLE", "1", 1);
    if (launch->library[0] != '\0') /* as for JavaScript in a static command */
        trace_preload(launch->library, "phasor/libphasor-join.so");
}

int phasor_run(int argc, char** argv) {
    static struct launch launch = {.command = "run"};
    bool attachable = false;
    int at = 1;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (at < argc && strcmp(argv[at], "--attachable") == 0) {
        attachable = true;
        at++;
    }
    if (at < argc && strcmp(argv[at], "--") == 0)
        at++;
    else if (at < argc && argv[at][0] == '-')
        return complain("unknown option ", argv[at]);
    if (at == argc)
        return complain("which program?", "");
    launch.arguments = argv + at;
    int status = launch_find(&launch);
    if (status != 0)
        return status;
    if (attachable) {
        preload_what_joins(&launch);
    } else {
        launch_use_library(&launch);
        /* A program whose own libuv can't be replaced says so: trace/preload/redirect.c. */
        setenv("PHASOR_RUN", "1", 1);
    }
    execv(launch.program, launch.arguments);
    return launch_failed(&launch);
}
