#include <getopt.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "launch/options.h"
#include "live/attach_target.h"
#include "live/live.h"
#include "read/memory.h"
#include "report/reading.h"

static const char usage[] =
    "Usage: phasor attach PID [-o FILE] [--limit BYTES]\n"
    "       phasor attach PID --stop\n"
    "       phasor attach PID --alive\n"
    "       phasor attach PID --watch [...], see phasor watch --help\n"
    "Starts, or stops, to record a process that runs on our libuv.so.1, or on another libuv.\n"
    "  -o FILE        where to (phasor-PID.trace)\n"
    "  --alive        says what keeps its loops alive now: open handles, requests that wait\n"
    "  --limit BYTES  keeps the newest part only; with K, M or G; at least 256K\n";

struct options {
    pid_t pid;
    char file[PATH_MAX];
    uint64_t limit;
    bool stop;
    bool alive;
};

static int complain(const char* what) {
    fprintf(stderr, "phasor attach: %s\n", what);
    return 1;
}

static bool parse_pid(const char* text, pid_t* pid) {
    char* end;
    long value = strtol(text, &end, 10);
    *pid = (pid_t)value;
    return *text >= '0' && *text <= '9' && *end == '\0' && value > 0 && value < INT_MAX;
}

/* Absolute: the process may stand in another folder. */
static void set_file(struct options* options, const char* given) {
    char folder[PATH_MAX / 2] = "", name[64];
    snprintf(name, sizeof(name), "phasor-%d.trace", (int)options->pid);
    if (given == NULL)
        given = name;
    bool relative = given[0] != '/' && getcwd(folder, sizeof(folder)) != NULL;
    snprintf(options->file, sizeof(options->file), "%s%s%s", folder, relative ? "/" : "", given);
}

static int parse(int argc, char** argv, struct options* options) {
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'}, {"limit", required_argument, NULL, 'l'},
        {"stop", no_argument, NULL, 's'},         {"alive", no_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},         {0}};
    const char* file = NULL;
    int option;
    optind = 0;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:", names, NULL)) != -1) {
        if (option == 'o') {
            file = optarg;
        } else if (option == 's') {
            options->stop = true;
        } else if (option == 'a') {
            options->alive = true;
        } else if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        } else if (option != 'l' || !trace_parse_limit(optarg, &options->limit)) {
            fprintf(stderr, "phasor attach: bad option %s\n%s", argv[optind - 1], usage);
            return 2;
        }
    }
    if (optind + 1 != argc || !parse_pid(argv[optind], &options->pid)) {
        fprintf(stderr, "phasor attach: which process?\n%s", usage);
        return 2;
    }
    set_file(options, file);
    return 0;
}

static int start(struct target* target, const struct options* options) {
    char error[4400];
    const char* recording = target->control.recording;
    if (*recording != '\0') {
        snprintf(error, sizeof(error), "process %d is being recorded already, in %s",
                 (int)target->pid, recording);
        return complain(error);
    }
    switch (target_command(target, PH_COMMAND_START, options->file, options->limit, error,
                           sizeof(error))) {
    case TARGET_FAILED:
        return complain(error);
    case TARGET_NOT_YET:
        fprintf(stderr,
                "phasor attach: the loops of process %d are asleep or busy; the recording begins "
                "with their next iteration, in %s\n",
                (int)target->pid, options->file);
        return 0;
    default:
        break;
    }
    if (target->control.result != 0) {
        target_say_result(target, options->file, error, sizeof(error));
        return complain(error);
    }
    fprintf(stderr, "phasor attach: recording process %d in %s; phasor attach %d --stop ends it\n",
            (int)target->pid, recording, (int)target->pid);
    return 0;
}

static int stop(struct target* target) {
    char error[4400], file[sizeof(target->control.recording)];
    memcpy(file, target->control.recording, sizeof(file));
    if (*file == '\0') {
        snprintf(error, sizeof(error), "process %d is not being recorded", (int)target->pid);
        return complain(error);
    }
    switch (target_command(target, PH_COMMAND_STOP, "", 0, error, sizeof(error))) {
    case TARGET_FAILED:
        return complain(error);
    case TARGET_NOT_YET:
        fprintf(stderr,
                "phasor attach: the loops of process %d are asleep or busy; the recording ends "
                "with their next iteration\n",
                (int)target->pid);
        return 0;
    default:
        break;
    }
    if (target->control.result != 0) {
        snprintf(error, sizeof(error), "the recording in %s had ended early: %s", file,
                 strerror(-target->control.result));
        return complain(error);
    }
    fprintf(stderr, "phasor attach: recorded in %s\n", file);
    return 0;
}

/* Whether the main thread's loop has turned, and whether any has. */
static void look_for_turns(const char* path, bool* of_main, bool* of_any) {
    static struct report report;
    struct trace_file file;
    char error[4400];
    if (!trace_file_open(&file, path, 0, error, sizeof(error)))
        return;
    struct symbols* symbols = symbols_open(&file);
    report_make(&report, &file, symbols, 0, UINT64_MAX);
    for (size_t i = 0; i < report.loop_count; i++) {
        *of_any = true;
        *of_main = *of_main || report.model.tracks[report.loops[i].track].is_main;
    }
    report_free(&report);
    symbols_close(symbols);
    trace_file_close(&file);
}

/* Until the loops have told of their handles, which they do when they turn: in any case the main
 * thread's, which has most of them; on a busy machine those of others may be long before. */
static bool wait_for_turn(const struct live* live) {
    enum { STEPS = 160 };
    const struct timespec step = {.tv_nsec = 50000000};
    bool of_main = false, of_any = false;
    for (int i = 0; i < STEPS && !of_main; i++) {
        nanosleep(&step, NULL);
        look_for_turns(live->file, &of_main, &of_any);
    }
    return of_any;
}

static int say_alive(pid_t pid) {
    static struct live live;
    struct reading reading;
    char error[4400];
    int status = 1;
    bool begun = live_begin(&live, "alive", NULL, pid, 32 << 20, error, sizeof(error));
    bool told = begun && wait_for_turn(&live);
    live_end(&live);
    if (!begun)
        complain(error);
    else if (!told)
        complain("no loop of the process has turned for two seconds");
    else if (reading_open(&reading, "attach", live.file, 0, UINT64_MAX)) {
        report_write_alive(&reading.report, stdout);
        reading_close(&reading);
        status = fflush(stdout) == 0 ? 0 : complain("standard output could not be written");
    }
    live_remove(&live);
    return status;
}

static bool is_asked_for(int argc, char** argv, const char* option) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], option) == 0)
            return true;
    return false;
}

int phasor_attach(int argc, char** argv) {
    if (is_asked_for(argc, argv, "--watch"))
        return phasor_watch(argc, argv);
    static struct options options;
    static struct target target;
    char error[4400];
    int status = parse(argc, argv, &options);
    if (status != 0)
        return status;
    if (options.alive)
        return say_alive(options.pid);
    /* Nothing is loaded into a process to stop what does not go on. */
    bool found = options.stop ? target_find(&target, options.pid, error, sizeof(error))
                              : target_open(&target, options.pid, error, sizeof(error));
    if (!found)
        return complain(error);
    return options.stop ? stop(&target) : start(&target, &options);
}
