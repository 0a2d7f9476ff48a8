#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "launch.h"
#include "launch/diagnose.h"
#include "launch/options.h"
#include "launch/redirect.h"
#include "read/drain.h"
#include "read/memory.h"
#include "recorder/format.h"

static const char usage[] =
    "Usage: phasor trace [-o FILE] [--limit BYTES] [--html OUT] [--async] [--] PROGRAM "
    "[ARGUMENTS]\n"
    "       phasor trace [...] SCRIPT.js [ARGUMENTS]\n"
    "       phasor trace [...] -e CODE [ARGUMENTS]\n"
    "Runs the program on our libuv.so.1, or JavaScript in our runtime, and records what its event\n"
    "loops do. Children that use libuv write FILE.PID.\n"
    "  -o FILE        where to (phasor.trace)\n"
    "  --limit BYTES  keeps the newest part only; with K, M or G; at least 256K\n"
    "  --html OUT     writes the page with the timeline too\n"
    "  --async        also follows timers and immediates of Node, by a module in the program\n";

struct run {
    const char* output;
    char path[PATH_MAX]; /* of the output, absolute */
    const char* limit_text;
    uint64_t limit;
    const char* html;
    struct launch launch;
    uint64_t began;
    pid_t pid;
    struct trace_end end;
};

static int complain(const char* what, const char* why) {
    fprintf(stderr, "phasor trace: %s: %s\n", what, why);
    return 1;
}

static int parse(int argc, char** argv, struct run* run) {
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'}, {"limit", required_argument, NULL, 'l'},
        {"html", required_argument, NULL, 'H'},   {"async", no_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},         {0}};
    int option;
    optind = 0;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:o:e:", names, NULL)) != -1) {
        if (option == 'o') {
            run->output = optarg;
        } else if (option == 'l') {
            run->limit_text = optarg;
        } else if (option == 'H') {
            run->html = optarg;
        } else if (option == 'a') {
            run->launch.follows_timers = true;
        } else if (option == 'e') {
            run->launch.code = optarg;
            break;
        } else if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        } else {
            fprintf(stderr, "phasor trace: %s %s\n%s",
                    option == ':' ? "something is missing after" : "unknown option",
                    argv[optind - 1], usage);
            return 2;
        }
    }
    if (run->limit_text != NULL && !trace_parse_limit(run->limit_text, &run->limit)) {
        complain(run->limit_text, "not a limit (a number of bytes, K, M or G, at least 256K)");
        return 2;
    }
    if (optind == argc && run->launch.code == NULL) {
        fprintf(stderr, "phasor trace: which program?\n%s", usage);
        return 2;
    }
    run->launch.arguments = argv + optind;
    return 0;
}

/* Of this user: one that somebody else has put there says nothing about this run. */
static bool is_trace(const char* path, struct ph_trace_header* header) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd == -1)
        return false;
    bool own = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid();
    ssize_t n = own ? read(fd, header, sizeof(*header)) : 0;
    close(fd);
    return n == (ssize_t)sizeof(*header) &&
           memcmp(header->magic, PH_TRACE_MAGIC, sizeof(header->magic)) == 0;
}

/* Whether a process holds the lock that belongs to writing it. */
static bool is_being_written(const char* path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool busy = fd != -1 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd != -1)
        close(fd);
    return busy;
}

/* Before the program runs for nothing: is there a place, and room for a beginning? */
static int try_writing(const struct run* run) {
    char block[4096] = {0};
    int fd = open(run->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd == -1)
        return complain(run->output, strerror(errno));
    ssize_t n = write(fd, block, sizeof(block));
    int error = n == -1 ? errno : ENOSPC;
    close(fd);
    unlink(run->path);
    return n == (ssize_t)sizeof(block) ? 0 : complain(run->output, strerror(error));
}

/* An earlier recording is replaced, anything else is not. */
static int prepare_output(struct run* run) {
    struct ph_trace_header header;
    struct stat info;
    char folder[PATH_MAX / 2];
    if (run->output[0] == '\0')
        return complain("-o", "the name of the file is empty");
    if (run->output[0] == '/' || getcwd(folder, sizeof(folder)) == NULL)
        folder[0] = '\0';
    int size = snprintf(run->path, sizeof(run->path), "%s%s%s", folder,
                        folder[0] != '\0' ? "/" : "", run->output);
    if (size >= (int)sizeof(run->path) - 16)
        return complain(run->output, "the path is too long");
    if (lstat(run->path, &info) == 0) {
        if (S_ISREG(info.st_mode) && info.st_uid != geteuid())
            return complain(run->output, "is there already, and belongs to another user");
        if (!S_ISREG(info.st_mode) || (info.st_size > 0 && !is_trace(run->path, &header)))
            return complain(run->output, "is there already, and is not a trace file");
        if (is_being_written(run->path))
            return complain(run->output, "another process is recording in it");
        if (unlink(run->path) != 0)
            return complain(run->output, strerror(errno));
    }
    return try_writing(run);
}

/* Running */

static uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Until the program ends. What the terminal sends goes to the whole group: only what was sent to us
 * alone is passed on. */
static int wait_for_end(pid_t pid, const sigset_t* signals) {
    int status = 0;
    siginfo_t info;
    while (waitpid(pid, &status, WNOHANG) == 0)
        if (sigwaitinfo(signals, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
            kill(pid, info.si_signo);
    return status;
}

/* The program's wait status, or -1 if it could not be started; errno says why. */
static int run_program(struct run* run) {
    static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigset_t signals, mask;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
        sigaddset(&signals, forwarded[i]);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    sigaction(SIGCHLD, &plain, &before);
    run->pid = launch_start(&run->launch, &mask, &before);
    int error = errno, status = -1;
    if (run->pid > 0) {
        status = wait_for_end(run->pid, &signals);
        run->end = (struct trace_end){
            .kind = WIFSIGNALED(status) ? PH_END_SIGNALLED : PH_END_EXITED,
            .value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
            .at = clock_now()};
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    errno = error;
    return status;
}

/* Afterwards */

/* How the program ended is known of itself, not of its children. */
static void drain(const struct run* run, const char* path, const struct ph_trace_header* header) {
    bool is_program = header->pid == (uint32_t)run->pid;
    trace_drain(path, is_program ? &run->end : NULL);
}

/* One line about a file; false if it is not of this run. */
static bool say_file(const struct run* run, const char* path, bool* failed) {
    struct ph_trace_header header;
    struct stat info;
    if (!is_trace(path, &header) || header.clock < run->began)
        return false;
    drain(run, path, &header);
    if (!is_trace(path, &header) || stat(path, &info) != 0)
        return false;
    const char* shown = strncmp(path, run->path, strlen(run->path)) == 0 ? run->output : path;
    fprintf(stderr, "phasor trace: recorded process %u in %s%s (%.1f kB)\n", header.pid, shown,
            shown == run->output ? path + strlen(run->path) : "", (double)info.st_size / 1000);
    if (header.status == PH_TRACE_FAILED) {
        *failed = true;
        fprintf(stderr, "phasor trace: the recording of process %u ended early: %s\n", header.pid,
                strerror(-header.error));
    }
    return true;
}

static size_t add_quoted(char* out, size_t size, const char* path) {
    size_t length = 0;
    for (; *path != '\0' && length + 3 < size; path++) {
        if (strchr("*?[\\", *path) != NULL)
            out[length++] = '\\';
        out[length++] = *path;
    }
    return length;
}

/* What was recorded: the program's own file comes first. */
struct files {
    char** paths;
    size_t count;
};

static void say_and_keep(const struct run* run, const char* path, bool* failed,
                         struct files* files) {
    if (say_file(run, path, failed))
        *APPEND(files->paths, files->count) = must(strdup(path));
}

static void say_files(const struct run* run, bool* failed, struct files* files) {
    char pattern[2 * PATH_MAX + 16];
    glob_t found;
    say_and_keep(run, run->path, failed, files);
    size_t length = add_quoted(pattern, sizeof(pattern) - 8, run->path);
    snprintf(pattern + length, sizeof(pattern) - length, ".[0-9]*");
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            say_and_keep(run, found.gl_pathv[i], failed, files);
        globfree(&found);
    }
}

/* One page, with the children. */
static int write_page(const struct run* run, const struct files* files) {
    char** arguments = must(calloc(files->count + 4, sizeof(char*)));
    int count = 0;
    arguments[count++] = "report";
    arguments[count++] = "--html";
    arguments[count++] = (char*)run->html;
    for (size_t i = 0; i < files->count; i++)
        arguments[count++] = files->paths[i];
    int status = phasor_report(count, arguments);
    free(arguments);
    return status;
}

static void free_files(struct files* files) {
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
}

/* The library made the file, and could not even write its first bytes. */
static bool left_empty(const struct run* run) {
    struct stat info;
    return lstat(run->path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0 &&
           unlink(run->path) == 0;
}

static int finish(const struct run* run, int status) {
    char why[PATH_MAX + 200];
    bool failed = false;
    struct files files = {0};
    int result = WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
    bool refused = trace_redirect_failed(run->path, run->launch.program, why, sizeof(why));
    say_files(run, &failed, &files);
    if (files.count == 0) {
        if (left_empty(run))
            snprintf(why, sizeof(why), "%s could not be written", run->output);
        else if (!refused)
            trace_diagnose(run->launch.program, run->launch.library, why, sizeof(why));
        fprintf(stderr, "phasor trace: nothing was recorded: %s\n", why);
        return result != 0 ? result : 1;
    }
    if (run->html != NULL) {
        int page = write_page(run, &files);
        if (page == 0)
            fprintf(stderr, "phasor trace: the page is %s\n", run->html);
        failed |= page != 0;
    } else {
        fprintf(stderr, "phasor trace: phasor report %s says what happened\n", run->output);
    }
    free_files(&files);
    return result == 0 && failed ? 1 : result;
}

int phasor_trace(int argc, char** argv) {
    static struct run run = {.output = "phasor.trace", .launch.command = "trace"};
    int status = parse(argc, argv, &run);
    if (status != 0)
        return status;
    status = launch_find(&run.launch);
    if (status != 0)
        return status;
    status = prepare_output(&run);
    if (status != 0)
        return status;
    launch_set_environment(&run.launch, run.path, run.limit);
    run.began = clock_now();
    status = run_program(&run);
    return status == -1 ? launch_failed(&run.launch) : finish(&run, status);
}
