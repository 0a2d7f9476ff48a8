#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "launch.h"
#include "launch/diagnose.h"
#include "launch/options.h"
#include "launch/redirect.h"
#include "live/live.h"
#include "live/serve.h"
#include "live/watch.h"
#include "read/memory.h"
#include "report/quantity.h"

static const char usage[] =
    "Usage: phasor watch [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
    "       phasor watch [OPTIONS] SCRIPT.js [ARGUMENTS]\n"
    "       phasor attach PID --watch [OPTIONS]\n"
    "Runs the program, or joins one that runs, and keeps the last moments of its event loops in\n"
    "memory. When a loop was blocked for longer than a limit, that moment is written: a recording\n"
    "for phasor report, and beside it what the report says. Ends with the program.\n"
    "  --blocked TIME           the limit (100ms)\n"
    "  --moments FOLDER         where moments are written (phasor-moments)\n"
    "  --most NUMBER            so many of them are kept, the newest (20)\n"
    "  --pause TIME             between two of them (10s); of those in between, the longest\n"
    "  --memory BYTES           for each process, with K, M or G (16M)\n"
    "  --metrics [HOST:]PORT    serves /metrics for Prometheus; without a host on 127.0.0.1\n"
    "  --async                  also follows timers and immediates of Node (phasor trace --async)\n"
    "  --otlp URL               sends figures and stalls to a collector: http://localhost:4318\n";

#define MEMORY_FOLDER "/dev/shm"
#define FOLDER_PREFIX "phasor-watch-"

struct command {
    struct watch_options options;
    const char* metrics;
    uint64_t memory;
    struct launch launch;
    bool joins; /* a process that runs */
    struct live live;
    char folder[64]; /* of the rings; "": none of our own */
    char recording[80];
    struct watch* watch;
    struct server* server;
    pid_t pid;
    int status; /* of the program, as waitpid gives it */
    bool has_ended;
};

static struct command command = {
    .options = {.limit = 100000000, .pause = 10000000000, .folder = "phasor-moments", .most = 20},
    .memory = 16 << 20,
    .launch = {.command = "watch"}};

/* Signals: those for the program, which came since the last look. */
static volatile sig_atomic_t pending[65];
static volatile sig_atomic_t interrupted;

/* What the terminal sends goes to the whole group: only what was sent to us alone is passed on. */
static void on_signal(int number, siginfo_t* info, void* context) {
    (void)context;
    interrupted = 1;
    if (number != SIGCHLD && (info->si_code <= 0 || command.joins))
        pending[number] = 1;
}

static int complain(const char* what, const char* why) {
    fprintf(stderr, "phasor watch: %s: %s\n", what, why);
    return 1;
}

static bool parse_number(const char* text, unsigned* number) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    return *text >= '0' && *text <= '9' && *end == '\0' && value > 0 && value <= 1000000;
}

static bool parse_time(const char* text, uint64_t* time) {
    const char* end = "";
    return quantity_time(text, true, &end, time) && *end == '\0';
}

/* False: it can't be understood. */
static bool take_option(int option, struct command* command) {
    switch (option) {
    case 'b':
        return parse_time(optarg, &command->options.limit) && command->options.limit >= 1000000;
    case 'p':
        return parse_time(optarg, &command->options.pause);
    case 'm':
        command->options.folder = optarg;
        return *optarg != '\0';
    case 'n':
        return parse_number(optarg, &command->options.most);
    case 'M':
        return trace_parse_limit(optarg, &command->memory);
    case 's':
        command->metrics = optarg;
        return true;
    case 'o':
        command->options.otlp = optarg;
        return strncmp(optarg, "http://", 7) == 0;
    case 'a':
        command->launch.follows_timers = true;
        return !command->joins;
    case 'e':
        command->launch.code = optarg;
        return true;
    default:
        return false;
    }
}

static int parse(int argc, char** argv, struct command* command) {
    static const struct option names[] = {{"blocked", required_argument, NULL, 'b'},
                                          {"pause", required_argument, NULL, 'p'},
                                          {"moments", required_argument, NULL, 'm'},
                                          {"most", required_argument, NULL, 'n'},
                                          {"memory", required_argument, NULL, 'M'},
                                          {"metrics", required_argument, NULL, 's'},
                                          {"otlp", required_argument, NULL, 'o'},
                                          {"watch", no_argument, NULL, 'w'},
                                          {"async", no_argument, NULL, 'a'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int option = 0;
    optind = 0;
    opterr = 0;
    command->joins = strcmp(argv[0], "attach") == 0;
    while (command->launch.code == NULL &&
           (option = getopt_long(argc, argv, command->joins ? ":" : "+:e:", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        }
        if (option != 'w' && !take_option(option, command)) {
            const char* what = option == ':'   ? "something is missing after"
                               : option == '?' ? "unknown option"
                                               : "this can't be understood:";
            fprintf(stderr, "phasor watch: %s %s\n%s", what, argv[optind - 1], usage);
            return 2;
        }
    }
    command->launch.arguments = argv + optind;
    unsigned pid = 0;
    if (command->joins ? optind + 1 != argc || !parse_number(argv[optind], &pid)
                       : optind == argc && command->launch.code == NULL) {
        fprintf(stderr, "phasor watch: which %s?\n%s", command->joins ? "process" : "program",
                usage);
        return 2;
    }
    command->pid = (pid_t)pid;
    return 0;
}

/* The rings */

static bool is_being_written(const char* path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool busy = fd != -1 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd != -1)
        close(fd);
    return busy;
}

/* Of what is in the folder, all that nobody writes any more; then the folder. */
static void remove_folder(const char* folder) {
    char path[400];
    DIR* all = opendir(folder);
    for (struct dirent* entry; all != NULL && (entry = readdir(all)) != NULL;) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !is_being_written(path))
            unlink(path);
    }
    if (all != NULL)
        closedir(all);
    rmdir(folder);
}

/* What was left behind by one of us that was killed. Others' folders can't be entered. */
static void sweep(void) {
    DIR* all = opendir(MEMORY_FOLDER);
    for (struct dirent* entry; all != NULL && (entry = readdir(all)) != NULL;) {
        char path[sizeof(MEMORY_FOLDER) + sizeof(entry->d_name)];
        int pid = 0;
        if (sscanf(entry->d_name, FOLDER_PREFIX "%d-", &pid) != 1 || pid <= 0 ||
            kill(pid, 0) == 0 || errno != ESRCH)
            continue;
        snprintf(path, sizeof(path), MEMORY_FOLDER "/%s", entry->d_name);
        remove_folder(path);
    }
    if (all != NULL)
        closedir(all);
}

/* The rings, and the buffers of a few threads. */
static int check_room(const struct command* command) {
    struct statvfs room;
    char why[200];
    if (statvfs(MEMORY_FOLDER, &room) != 0)
        return complain(MEMORY_FOLDER, strerror(errno));
    uint64_t free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
    uint64_t needed = command->memory + (8 << 20);
    if (free_bytes >= needed)
        return 0;
    snprintf(why, sizeof(why),
             "has %llu MB left and %llu are needed: give it more (docker run --shm-size), or less "
             "to --memory",
             (unsigned long long)(free_bytes >> 20), (unsigned long long)(needed >> 20));
    return complain(MEMORY_FOLDER, why);
}

static int make_rings(struct command* command) {
    sweep();
    int status = check_room(command);
    if (status != 0)
        return status;
    snprintf(command->folder, sizeof(command->folder), MEMORY_FOLDER "/" FOLDER_PREFIX "%d-XXXXXX",
             (int)getpid());
    if (mkdtemp(command->folder) == NULL) {
        command->folder[0] = '\0';
        return complain(MEMORY_FOLDER, strerror(errno));
    }
    snprintf(command->recording, sizeof(command->recording), "%s/trace", command->folder);
    return 0;
}

/* Beginning */

static int join(struct command* command) {
    char error[4400], name[32];
    int status = check_room(command);
    if (status != 0)
        return status;
    sweep();
    snprintf(name, sizeof(name), "watch-%d", (int)getpid());
    if (live_begin(&command->live, name, MEMORY_FOLDER, command->pid, command->memory, error,
                   sizeof(error)))
        return 0;
    live_remove(&command->live);
    fprintf(stderr, "phasor watch: %s\n", error);
    return 1;
}

static void await_signals(void) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int start(struct command* command) {
    struct sigaction before;
    sigset_t mask;
    launch_set_environment(&command->launch, command->recording, command->memory);
    sigaction(SIGCHLD, NULL, &before);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    signal(SIGCHLD, SIG_DFL);
    command->pid = launch_start(&command->launch, &mask, &before);
    return command->pid == -1 ? launch_failed(&command->launch) : 0;
}

static bool write_metrics(void* context, bool only_data, FILE* out) {
    (void)only_data;
    watch_write_metrics(context, out);
    return true;
}

static int serve(struct command* command) {
    if (command->metrics == NULL)
        return 0;
    command->server = server_open_text(command->metrics, "/metrics", write_metrics, command->watch);
    if (command->server == NULL)
        return complain(command->metrics,
                        errno == EINVAL ? "is no address (PORT or HOST:PORT)" : strerror(errno));
    fprintf(stderr, "phasor watch: figures are at %s\n", server_address(command->server));
    return 0;
}

/* Watching */

/* The program, what writes moments, and what the program leaves to process 1, which this may be. */
static void reap(struct command* command) {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        watch_child_ended(command->watch, pid);
        if (pid != command->pid || command->joins)
            continue;
        command->status = status;
        command->has_ended = true;
    }
    if (command->joins && kill(command->pid, 0) != 0 && errno == ESRCH)
        command->has_ended = true;
}

/* True: this ends before the program does. */
static bool pass_signals_on(const struct command* command) {
    bool ends = false;
    interrupted = 0;
    for (int i = 1; i < 65; i++) {
        if (!pending[i])
            continue;
        pending[i] = 0;
        if (command->joins)
            ends |= i == SIGINT || i == SIGTERM || i == SIGHUP;
        else
            kill(command->pid, i);
    }
    return ends;
}

static void pause_a_while(const struct command* command) {
    const struct timespec step = {.tv_nsec = 200000000};
    if (command->server != NULL)
        server_run(command->server, 0.2, &interrupted);
    else if (!interrupted)
        nanosleep(&step, NULL);
}

static void watch_until_end(struct command* command) {
    for (;;) {
        pause_a_while(command);
        bool ends = pass_signals_on(command);
        reap(command);
        if (ends || command->has_ended)
            return;
        watch_look(command->watch);
    }
}

static int result(const struct command* command, bool has_seen) {
    char why[PATH_MAX + 200];
    if (command->joins)
        return 0;
    int status = WIFSIGNALED(command->status) ? STATUS_SIGNAL + WTERMSIG(command->status)
                                              : WEXITSTATUS(command->status);
    if (has_seen)
        return status;
    const struct launch* launch = &command->launch;
    if (!trace_redirect_failed(command->recording, launch->program, why, sizeof(why)))
        trace_diagnose(launch->program, launch->library, why, sizeof(why));
    fprintf(stderr, "phasor watch: nothing was seen: %s\n", why);
    return status != 0 ? status : 1;
}

static int begin(struct command* command) {
    int status = command->joins ? 0 : launch_find(&command->launch);
    if (status == 0)
        status = command->joins ? join(command) : make_rings(command);
    if (status != 0)
        return status;
    command->watch =
        watch_open(&command->options, command->joins ? command->live.file : command->recording);
    status = serve(command);
    if (status == 0 && !command->joins)
        status = start(command);
    return status;
}

int phasor_watch(int argc, char** argv) {
    int status = parse(argc, argv, &command);
    if (status != 0)
        return status;
    status = begin(&command);
    if (status == 0) {
        await_signals();
        watch_until_end(&command);
        live_end(&command.live);
        bool has_seen = (watch_look(command.watch), watch_has_seen(command.watch));
        watch_close(command.watch);
        status = result(&command, has_seen);
    }
    if (command.server != NULL)
        server_close(command.server);
    live_remove(&command.live);
    if (command.folder[0] != '\0')
        remove_folder(command.folder);
    return status;
}
