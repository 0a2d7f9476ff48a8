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
#include "launch/diagnose.h"
#include "launch/options.h"
#include "launch/redirect.h"
#include "read/drain.h"
#include "read/memory.h"
#include "recorder/format.h"

#ifndef PHASOR_MULTIARCH
#define PHASOR_MULTIARCH "."
#endif
#define PHASOR_PLACE "../lib/" PHASOR_MULTIARCH

static const char usage[] =
    "Usage: phasor trace [-o FILE] [--limit BYTES] [--html OUT] [--] PROGRAM [ARGUMENTS]\n"
    "       phasor trace [...] SCRIPT.js [ARGUMENTS]\n"
    "       phasor trace [...] -e CODE [ARGUMENTS]\n"
    "Runs the program on our libuv.so.1, or JavaScript in our runtime, and records what its event\n"
    "loops do. Children that use libuv write FILE.PID.\n"
    "  -o FILE        where to (phasor.trace)\n"
    "  --limit BYTES  keeps the newest part only; with K, M or G; at least 256K\n"
    "  --html OUT     writes the page with the timeline too\n";

struct run {
    const char* output;
    char path[PATH_MAX]; /* of the output, absolute */
    const char* limit_text;
    uint64_t limit;
    const char* html;
    char** arguments;
    const char* code; /* -e: JavaScript */
    char library[PATH_MAX];
    char program[PATH_MAX];
    uint64_t began;
    pid_t pid;
    struct trace_end end;
};

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

/* Not in every build. */
__attribute__((weak)) int ph_runtime_main(int argc, char** argv);

static int complain(const char* what, const char* why) {
    fprintf(stderr, "phasor trace: %s: %s\n", what, why);
    return 1;
}

static int parse(int argc, char** argv, struct run* run) {
    static const struct option names[] = {{"output", required_argument, NULL, 'o'},
                                          {"limit", required_argument, NULL, 'l'},
                                          {"html", required_argument, NULL, 'H'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
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
        } else if (option == 'e') {
            run->code = optarg;
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
    if (optind == argc && run->code == NULL) {
        fprintf(stderr, "phasor trace: which program?\n%s", usage);
        return 2;
    }
    run->arguments = argv + optind;
    return 0;
}

static bool ends_with(const char* text, const char* end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

/* A script that is there. */
static bool is_script(const char* path) {
    struct stat info;
    return (ends_with(path, ".js") || ends_with(path, ".mjs") || ends_with(path, ".cjs")) &&
           stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* JavaScript is for our own runtime, which is this program. */
static bool put_runtime_first(struct run* run) {
    if (run->code == NULL && !is_script(run->arguments[0]))
        return true;
    ssize_t n = readlink("/proc/self/exe", run->program, sizeof(run->program) - 1);
    if (ph_runtime_main == NULL || n <= 0)
        return false;
    size_t count = 0, before = 0;
    while (run->arguments[count] != NULL)
        count++;
    char** arguments = must(calloc(count + 5, sizeof(*arguments)));
    arguments[before++] = "phasor";
    if (run->code != NULL) {
        arguments[before++] = "-e";
        arguments[before++] = (char*)run->code;
        arguments[before++] = "--";
    }
    memcpy(arguments + before, run->arguments, count * sizeof(*arguments));
    run->arguments = arguments;
    return true;
}

/* Beside the phasor command: ../lib, as it is built and installed. */
static bool find_library(struct run* run) {
    static const char* const places[] = {"../lib", PHASOR_PLACE, "../lib64", "."};
    char self[PATH_MAX / 2], path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", self, places[i]);
        char* folder = realpath(path, NULL);
        snprintf(run->library, sizeof(run->library), "%s/libuv.so.1", folder != NULL ? folder : "");
        free(folder);
        if (access(run->library, R_OK) == 0)
            return true;
    }
    return false;
}

/* As execvp would find it. 0, or the exit status that shells use. */
static int find_program(struct run* run) {
    if (run->program[0] != '\0')
        return 0;
    const char* name = run->arguments[0];
    const char* list = strchr(name, '/') != NULL ? "" : getenv("PATH");
    int status = STATUS_NOT_FOUND;
    if (*name == '\0') {
        complain("\"\"", "no such program");
        return status;
    }
    char* copy = must(strdup(list != NULL ? list : "/usr/local/bin:/usr/bin:/bin"));
    char* rest = copy;
    for (char* folder; status != 0 && (folder = strsep(&rest, ":")) != NULL;) {
        struct stat info;
        snprintf(run->program, sizeof(run->program), "%s%s%s", folder, *folder != '\0' ? "/" : "",
                 name);
        if (stat(run->program, &info) != 0)
            continue;
        bool runs = S_ISREG(info.st_mode) && access(run->program, X_OK) == 0;
        status = runs ? 0 : STATUS_NOT_EXECUTABLE;
    }
    free(copy);
    if (status == STATUS_NOT_FOUND)
        complain(name, "no such program");
    else if (status == STATUS_NOT_EXECUTABLE)
        complain(name, "not an executable file");
    return status;
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

static void set_environment(const struct run* run) {
    char limit[32];
    char* folder = must(strdup(run->library));
    *strrchr(folder, '/') = '\0';
    const char* before = getenv("LD_LIBRARY_PATH");
    char* list = folder;
    if (before != NULL && *before != '\0' && asprintf(&list, "%s:%s", folder, before) < 0)
        must(NULL);
    setenv("LD_LIBRARY_PATH", list, 1);
    setenv("PHASOR_TRACE", run->path, 1);
    setenv("PHASOR_TRACE_KEEP", "1", 1);
    trace_redirect(run->program, run->library);
    unsetenv("PHASOR_TRACE_LIMIT");
    snprintf(limit, sizeof(limit), "%llu", (unsigned long long)run->limit);
    if (run->limit != 0)
        setenv("PHASOR_TRACE_LIMIT", limit, 1);
    if (list != folder)
        free(list);
    free(folder);
}

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

/* Tells the parent, through the pipe, if the program can't be started. */
static _Noreturn void become_program(const struct run* run, int failure) {
    execv(run->program, run->arguments);
    int error = errno;
    if (write(failure, &error, sizeof(error)) < 0)
        _exit(STATUS_NOT_EXECUTABLE);
    _exit(STATUS_NOT_EXECUTABLE);
}

/* The child's wait status, or -1 if it could not be started; errno says why. */
static int run_program(struct run* run) {
    static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigset_t signals, mask;
    int failure[2], error = 0, status = 0;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
        sigaddset(&signals, forwarded[i]);
    if (pipe2(failure, O_CLOEXEC) != 0)
        return -1;
    sigprocmask(SIG_BLOCK, &signals, &mask);
    sigaction(SIGCHLD, &plain, &before);
    pid_t pid = fork();
    if (pid == 0) {
        sigaction(SIGCHLD, &before, NULL);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        become_program(run, failure[1]);
    }
    close(failure[1]);
    if (pid == -1)
        error = errno;
    else if (read(failure[0], &error, sizeof(error)) <= 0)
        error = 0;
    close(failure[0]);
    if (pid > 0) {
        status = wait_for_end(pid, &signals);
        run->pid = pid;
        run->end = (struct trace_end){
            .kind = WIFSIGNALED(status) ? PH_END_SIGNALLED : PH_END_EXITED,
            .value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
            .at = clock_now()};
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    errno = error;
    return error != 0 ? -1 : status;
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
    bool refused = trace_redirect_failed(run->path, run->program, why, sizeof(why));
    say_files(run, &failed, &files);
    if (files.count == 0) {
        if (left_empty(run))
            snprintf(why, sizeof(why), "%s could not be written", run->output);
        else if (!refused)
            trace_diagnose(run->program, run->library, why, sizeof(why));
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
    static struct run run = {.output = "phasor.trace"};
    int status = parse(argc, argv, &run);
    if (status != 0)
        return status;
    if (!put_runtime_first(&run))
        return complain(run.code != NULL ? "-e" : run.arguments[0],
                        "this phasor has no JavaScript runtime");
    if (!find_library(&run))
        return complain("libuv.so.1", "not found beside this program, in ../lib");
    status = find_program(&run);
    if (status != 0)
        return status;
    status = prepare_output(&run);
    if (status != 0)
        return status;
    set_environment(&run);
    run.began = clock_now();
    status = run_program(&run);
    if (status == -1) {
        /* The file itself was found. */
        complain(run.arguments[0], errno == ENOENT
                                       ? "the interpreter or loader that it names is not there"
                                       : strerror(errno));
        return STATUS_NOT_EXECUTABLE;
    }
    return finish(&run, status);
}
