/* machine <PROGRAMS >LOGS, or machine version: runs each program of the input in a process and a
 * folder of its own. A program begins with the line "program NAME"; so does its log. */

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"
#include "program.h"

enum { SECONDS = 20 };

static char* read_all(void) {
    size_t size = 0, room = 1 << 16;
    char* text = malloc(room);
    for (size_t n; (n = fread(text + size, 1, room - size - 1, stdin)) > 0;) {
        size += n;
        if (room - size < 2)
            text = realloc(text, room *= 2);
    }
    text[size] = 0;
    return text;
}

static int remove_entry(const char* path, const struct stat* stat, int type, struct FTW* place) {
    (void)stat, (void)type, (void)place;
    return remove(path);
}

static void run_in_child(char* text) {
    static struct program program;
    setpgid(0, 0);
    alarm(SECONDS);
    program_read(&program, text);
    machine_run(&program);
    exit(0);
}

/* Whatever the program left running goes with it. */
static int wait_for(pid_t child) {
    int status = 0;
    siginfo_t info;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == -1 && errno == EINTR)
        continue;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return status;
}

static void run(const char* name, char* text) {
    char folder[] = "/tmp/differential.XXXXXX";
    shared_log->used = 0;
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        exit(2);
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0)
            _exit(2);
        run_in_child(text);
    }
    int status = wait_for(child);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    printf("program %s%.*s\n", name, (int)shared_log->used, shared_log->text);
    if (WIFSIGNALED(status))
        printf("died of %s\n",
               WTERMSIG(status) == SIGALRM ? "waiting" : strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        printf("ended with %d\n", WEXITSTATUS(status));
}

/* With one processor nobody looks out for others in a loop that ends by the clock. */
static void need_one_processor(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1)
        return;
    fputs("The machine runs on one processor: taskset -c 0 ...\n", stderr);
    exit(2);
}

int main(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "version") == 0)
        return puts(uv_version_string()) < 0;
    shared_log =
        mmap(NULL, sizeof(*shared_log), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    need_one_processor();
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    signal(SIGPIPE, SIG_IGN);
    char* text = read_all();
    for (char* next = strstr(text, "program "); next != NULL;) {
        char* name = next + strlen("program ");
        char* body = strchr(name, '\n');
        if (body == NULL)
            break;
        *body++ = 0;
        next = strncmp(body, "program ", 8) == 0 ? body : strstr(body, "\nprogram ");
        if (next != NULL && next != body)
            *next++ = 0;
        run(name, body);
    }
    free(text);
    return 0;
}
