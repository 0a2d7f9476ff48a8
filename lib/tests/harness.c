#include "harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct test_case* tests;
static char folder[256];
static pid_t owner;

void test_register(struct test_case* test) {
    test->next = tests;
    tests = test;
}

static int remove_entry(const char* path, const struct stat* st, int type, struct FTW* ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void leave_folder(void) {
    if (getpid() != owner)
        return;
    if (chdir("/") == 0)
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void enter_folder(void) {
    const char* base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/phasor-test-XXXXXX", base != NULL ? base : "/tmp");
    owner = getpid();
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
    atexit(leave_folder);
}

void test_fail(const char* file, int line, const char* format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    leave_folder();
    _exit(1);
}

void test_skip(const char* reason) {
    printf("skipped: %s\n", reason);
    fflush(stdout);
    leave_folder();
    _exit(77);
}

/* Tests also run while they are recorded; the recording's file and the recorder's looks at how long
 * threads waited for a processor are not theirs. */
static bool is_recording(int folder_fd, const char* name) {
    const char* recording = getenv("PHASOR_TRACE");
    char path[4096] = "";
    if (recording == NULL || readlinkat(folder_fd, name, path, sizeof(path) - 1) <= 0)
        return false;
    const char* file = strrchr(path, '/');
    return strncmp(path, recording, strlen(recording)) == 0 ||
           (file != NULL && strcmp(file, "/schedstat") == 0);
}

/* A system without /proc has few descriptors too. */
static int count_one_by_one(void) {
    int count = 0;
    for (int fd = 0; fd < 4096; fd++)
        count += fcntl(fd, F_GETFD) != -1;
    return count;
}

void test_dirty_stack(void) {
    volatile unsigned char bytes[64 * 1024];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = 0x5a;
}

int test_open_fds(void) {
    DIR* dir = opendir("/proc/self/fd");
    const struct dirent* entry;
    int count = 0;
    if (dir == NULL)
        return count_one_by_one();
    while ((entry = readdir(dir)) != NULL)
        count += !is_recording(dirfd(dir), entry->d_name);
    closedir(dir);
    return count - 3; /* ".", ".." and the listing's own */
}

void test_need_fds(unsigned count) {
    struct rlimit limit;
    CHECK_OK(getrlimit(RLIMIT_NOFILE, &limit));
    if (limit.rlim_cur >= count)
        return;
    limit.rlim_cur = count;
    if (limit.rlim_max < count)
        limit.rlim_max = count;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        test_skip("the limit of descriptors is too low");
}

int test_child_status(pid_t child) {
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

void test_child_dies(void (*fn)(void), int signal, const char* text) {
    int pipe_fds[2];
    char output[4096];
    size_t length = 0;
    ssize_t n;
    int status;
    CHECK_OK(pipe(pipe_fds));
    fflush(NULL);
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        dup2(pipe_fds[1], 2);
        close(pipe_fds[0]);
        close(pipe_fds[1]);
        fn();
        _exit(0);
    }
    close(pipe_fds[1]);
    while ((n = read(pipe_fds[0], output + length, sizeof(output) - 1 - length)) > 0)
        length += (size_t)n;
    output[length] = '\0';
    close(pipe_fds[0]);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    if (signal != 0 ? !WIFSIGNALED(status) || WTERMSIG(status) != signal : status != 0)
        test_fail(__FILE__, __LINE__, "the child ended with status 0x%x: %s", status, output);
    if (text != NULL && strstr(output, text) == NULL)
        test_fail(__FILE__, __LINE__, "the child said \"%s\", not \"%s\"", output, text);
}

#ifdef ON_LIBUV
#include <uv.h>

/* libuv keeps the descriptors that it dispatches signals with for the life of the process: here
 * they are made before anything is counted. */
static void make_lasting_descriptors(void) {
    uv_loop_t loop;
    uv_signal_t signal;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &signal));
    uv_close((uv_handle_t*)&signal, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
#else
static void make_lasting_descriptors(void) {}
#endif

static int run(struct test_case* test) {
    enter_folder();
    make_lasting_descriptors();
    int before = test_open_fds();
    test->run();
    int after = test_open_fds();
    if (after > before)
        test_fail(test->name, 0, "%d descriptors before, %d after", before, after);
    return 0;
}

static int run_all(const char* program) {
    int failed = 0;
    for (struct test_case* test = tests; test != NULL; test = test->next) {
        pid_t pid = fork();
        int status = 1;
        if (pid == 0) {
            execl(program, program, test->name, (char*)NULL);
            _exit(127);
        }
        waitpid(pid, &status, 0);
        bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
        const char* result = status == 0 ? "ok     " : skipped ? "skipped" : "FAILED ";
        printf("%s %s\n", result, test->name);
        failed += status != 0 && !skipped;
    }
    return failed != 0;
}

int test_argc;
char** test_argv;

int main(int argc, char** argv) {
    test_argc = argc;
    test_argv = argv;
    if (argc < 2)
        return run_all(argv[0]);
    for (struct test_case* test = tests; test != NULL; test = test->next)
        if (strcmp(test->name, argv[1]) == 0)
            return run(test);
    fprintf(stderr, "no test is called %s\n", argv[1]);
    return 2;
}
