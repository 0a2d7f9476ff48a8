#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/redirect.h"
#include "read/memory.h"

#ifdef PHASOR_STATIC
enum { IS_STATIC = 1 };
#else
enum { IS_STATIC = 0 };
#endif

/* Not in every build. */
__attribute__((weak)) int ph_runtime_main(int argc, char** argv);

static int complain(const struct launch* launch, const char* what, const char* why) {
    fprintf(stderr, "phasor %s: %s: %s\n", launch->command, what, why);
    return 1;
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
static bool put_runtime_first(struct launch* launch) {
    if (launch->code == NULL && !is_script(launch->arguments[0]))
        return true;
    ssize_t n = readlink("/proc/self/exe", launch->program, sizeof(launch->program) - 1);
    if (ph_runtime_main == NULL || n <= 0)
        return false;
    size_t count = 0, before = 0;
    while (launch->arguments[count] != NULL)
        count++;
    char** arguments = must(calloc(count + 5, sizeof(*arguments)));
    arguments[before++] = "phasor";
    if (launch->code != NULL) {
        arguments[before++] = "-e";
        arguments[before++] = (char*)launch->code;
        arguments[before++] = "--";
    }
    memcpy(arguments + before, launch->arguments, count * sizeof(*arguments));
    launch->arguments = arguments;
    return true;
}

/* Beside the phasor command, as it is installed and as it is built. Where it is installed comes
 * first: the other places may hold the system's libuv. */
static bool find_library(struct launch* launch) {
    static const char* const places[] = {"../" PHASOR_LIBDIR, "../lib", "../lib64", "."};
    char self[PATH_MAX / 2], path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", self, places[i]);
        char* folder = realpath(path, NULL);
        snprintf(launch->library, sizeof(launch->library), "%s/libuv.so.1",
                 folder != NULL ? folder : "");
        free(folder);
        if (access(launch->library, R_OK) == 0)
            return true;
    }
    return false;
}

/* As execvp would find it. 0, or the exit status that shells use. */
static int find_program(struct launch* launch) {
    if (launch->program[0] != '\0')
        return 0;
    const char* name = launch->arguments[0];
    const char* list = strchr(name, '/') != NULL ? "" : getenv("PATH");
    int status = STATUS_NOT_FOUND;
    if (*name == '\0') {
        complain(launch, "\"\"", "no such program");
        return status;
    }
    char* copy = must(strdup(list != NULL ? list : "/usr/local/bin:/usr/bin:/bin"));
    char* rest = copy;
    for (char* folder; status != 0 && (folder = strsep(&rest, ":")) != NULL;) {
        struct stat info;
        snprintf(launch->program, sizeof(launch->program), "%s%s%s", folder,
                 *folder != '\0' ? "/" : "", name);
        if (stat(launch->program, &info) != 0)
            continue;
        bool runs = S_ISREG(info.st_mode) && access(launch->program, X_OK) == 0;
        status = runs ? 0 : STATUS_NOT_EXECUTABLE;
    }
    free(copy);
    if (status == STATUS_NOT_FOUND)
        complain(launch, name, "no such program");
    else if (status == STATUS_NOT_EXECUTABLE)
        complain(launch, name, "not an executable file");
    return status;
}

int launch_find(struct launch* launch) {
    if (!put_runtime_first(launch))
        return complain(launch, launch->code != NULL ? "-e" : launch->arguments[0],
                        "this phasor has no JavaScript runtime");
    /* A static command has the library inside, and none that another program could load. */
    if (IS_STATIC && launch->program[0] == '\0')
        return complain(launch, launch->arguments[0],
                        "this phasor is one static program, and has no libuv.so.1 for others");
    if (!IS_STATIC && !find_library(launch))
        return complain(launch, "libuv.so.1", "not found beside this program, in ../lib");
    if (!IS_STATIC && launch->program[0] == '\0' && strpbrk(launch->library, ":;") != NULL)
        return complain(launch, launch->library,
                        "the loader of other programs can't be told of a folder with ':' or ';'");
    return find_program(launch);
}

void launch_use_library(const struct launch* launch) {
    if (IS_STATIC)
        return;
    char* folder = must(strdup(launch->library));
    *strrchr(folder, '/') = '\0';
    const char* before = getenv("LD_LIBRARY_PATH");
    char* list = folder;
    if (before != NULL && *before != '\0' && asprintf(&list, "%s:%s", folder, before) < 0)
        must(NULL);
    setenv("LD_LIBRARY_PATH", list, 1);
    trace_redirect(launch->program, launch->library);
    if (list != folder)
        free(list);
    free(folder);
}

/* Node, and no other program, preloads what that variable names. A path is in quotes, in which a
 * backslash takes the next character as it is. */
static void preload_into_node(const struct launch* launch) {
    static const char file[] = "/phasor/async.js";
    const char* before = getenv("NODE_OPTIONS");
    int folder = (int)(strrchr(launch->library, '/') - launch->library);
    char quoted[2 * PATH_MAX], *all;
    size_t size = 0;
    for (int i = 0; i < folder && launch->library[i] != '\0'; i++) {
        if (launch->library[i] == '"' || launch->library[i] == '\\')
            quoted[size++] = '\\';
        quoted[size++] = launch->library[i];
    }
    quoted[size] = '\0';
    if (asprintf(&all, "--require \"%s%s\"%s%s", quoted, file, before != NULL ? " " : "",
                 before != NULL ? before : "") < 0)
        must(NULL);
    setenv("NODE_OPTIONS", all, 1);
    free(all);
}

void launch_set_environment(const struct launch* launch, const char* recording, uint64_t limit) {
    char text[32];
    setenv("PHASOR_TRACE", recording, 1);
    setenv("PHASOR_TRACE_KEEP", "1", 1);
    launch_use_library(launch);
    if (launch->follows_timers && !IS_STATIC)
        preload_into_node(launch);
    unsetenv("PHASOR_TRACE_LIMIT");
    snprintf(text, sizeof(text), "%llu", (unsigned long long)limit);
    if (limit != 0)
        setenv("PHASOR_TRACE_LIMIT", text, 1);
}

/* Tells the parent, through the pipe, if the program can't be started. */
static _Noreturn void become_program(const struct launch* launch, int failure) {
    execv(launch->program, launch->arguments);
    int error = errno;
    if (write(failure, &error, sizeof(error)) < 0)
        _exit(STATUS_NOT_EXECUTABLE);
    _exit(STATUS_NOT_EXECUTABLE);
}

pid_t launch_start(const struct launch* launch, const sigset_t* mask,
                   const struct sigaction* child_action) {
    int failure[2], error = 0;
    if (pipe2(failure, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        sigaction(SIGCHLD, child_action, NULL);
        sigprocmask(SIG_SETMASK, mask, NULL);
        become_program(launch, failure[1]);
    }
    if (pid == -1)
        error = errno;
    close(failure[1]);
    if (pid > 0 && read(failure[0], &error, sizeof(error)) <= 0)
        error = 0;
    close(failure[0]);
    if (error == 0)
        return pid;
    if (pid > 0)
        waitpid(pid, NULL, 0);
    errno = error;
    return -1;
}

int launch_failed(const struct launch* launch) {
    /* The file itself was found. */
    complain(launch, launch->arguments[0],
             errno == ENOENT ? "the interpreter or loader that it names is not there"
                             : strerror(errno));
    return STATUS_NOT_EXECUTABLE;
}
