/* The phasor command: `phasor NAME ...` for the commands below, anything else is for the JavaScript
 * runtime, which is not in every build. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "secure.h"

__attribute__((weak)) int ph_runtime_main(int argc, char** argv);

static const struct {
    const char* name;
    int (*run)(int argc, char** argv);
} commands[] = {
    {"trace", phasor_trace},
    {"report", phasor_report},
    {"top", phasor_top},
    {"attach", phasor_attach},
    {"diff", phasor_diff},
    {"export", phasor_export},
    {"watch", phasor_watch},
    {"sim", phasor_sim},
    {"play", phasor_play},
    {"run", phasor_run},
    {"--licenses", phasor_licenses},
};

static const char usage[] =
    "Usage: phasor COMMAND ...\n"
    "  trace PROGRAM ARGUMENTS      runs a program and records what its event loops do\n"
    "  report FILE                  says what was recorded\n"
    "  diff BEFORE... -- AFTER...   says what became slower between recordings\n"
    "  export FILE|PID              figures for Prometheus and OpenTelemetry\n"
    "  top PID|FILE                 the same, live\n"
    "  attach PID                   records a program that is running\n"
    "  watch PROGRAM ARGUMENTS      runs a program and writes down when its loops were blocked\n"
    "  run PROGRAM ARGUMENTS        runs a program on our libuv.so.1\n"
    "  sim PROGRAM ARGUMENTS        runs a program in a simulated world\n"
    "  play FILE.js                 shows a program's loop and queues on a page\n"
    "phasor COMMAND --help says more.\n";

int main(int argc, char** argv) {
    forget_unsafe_environment();
    for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (ph_runtime_main != NULL)
        return ph_runtime_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-v") == 0))
        return phasor_version(argc, argv);
    if (argc > 1)
        fprintf(stderr, "phasor: %s is no command, and this phasor has no JavaScript runtime\n",
                argv[1]);
    fputs(usage, stderr);
    return 2;
}
