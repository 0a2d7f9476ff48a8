/* load tcp|http CONNECTIONS SECONDS SERVER ARGUMENTS...
 *
 * Starts a server that prints its port, keeps every connection busy with one message at a time and
 * says how many round trips a second there were, and what each took the server's process of CPU
 * time, all its threads together. The same client for every runtime: it costs less than any of
 * them. It has the last processor, the server all others. With one connection, where only one of
 * the two has something to do, both have the last one: else it is the time that an idle processor
 * takes to wake up that is measured.
 *
 * load compare CONNECTIONS ROUNDS ON OFF SERVER ARGUMENTS...
 *
 * The CPU time that a request takes each of two HTTP servers: one as it is, and one after the
 * command ON, in which $SERVER is its process. They are asked in turns of a fortieth of a second,
 * so that what else the machine does hits both; after half of the rounds, and the command OFF, they
 * change places, so that what makes one process faster than the other does too.
 *
 * load hold CONNECTIONS PORT
 *
 * Opens all connections, with a request on each; when all are answered and still open, asks on
 * each again, and leaves. Exit status 0 if every answer was right. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ECHO_SIZE = 64, EVENTS = 256, AT_ONCE = 256 };

typedef struct {
    int fd;
    size_t got; /* bytes of the answer so far */
    size_t expected;
    bool connecting;
    char head[512]; /* of an HTTP answer */
} connection;

static struct {
    const char* message;
    size_t length;
    bool http;
    int poll;
    long done;
    long limit; /* how many answers are wanted, or -1 */
} run;

typedef struct {
    pid_t pid;
    int poll;
    long count;
    connection* all;
} server;

static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n";

static void fail(const char* what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void wrong(const char* what) {
    fprintf(stderr, "load: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Of a whole process, those of its threads that have ended included. */
static double cpu_time(pid_t pid) {
    clockid_t clock;
    struct timespec time = {0};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        wrong("the server is gone");
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void watch(connection* one, int how, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = one};
    if (epoll_ctl(run.poll, how, one->fd, &event) != 0)
        fail("epoll_ctl");
}

static void ask(connection* one) {
    one->got = 0;
    one->expected = run.http ? 0 : run.length;
    if (write(one->fd, run.message, run.length) != (ssize_t)run.length)
        fail("write");
}

static void open_connection(connection* one, int port) {
    /* Many connections from one address need more than its ports would give: four addresses. */
    static unsigned opened;
    struct sockaddr_in here = {.sin_family = AF_INET};
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK + opened++ % 4);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    one->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (one->fd < 0)
        fail("socket");
    setsockopt(one->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
    setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (bind(one->fd, (struct sockaddr*)&here, sizeof(here)) != 0)
        fail("bind");
    if (connect(one->fd, (struct sockaddr*)&there, sizeof(there)) != 0 && errno != EINPROGRESS)
        fail("connect");
    one->connecting = true;
    watch(one, EPOLL_CTL_ADD, EPOLLOUT);
}

/* The size of an HTTP answer, once its head is complete; 0 before. */
static size_t answer_size(connection* one) {
    one->head[one->got < sizeof(one->head) ? one->got : sizeof(one->head) - 1] = '\0';
    char* end = strstr(one->head, "\r\n\r\n");
    if (end == NULL) {
        if (one->got >= sizeof(one->head) - 1)
            wrong("the head of an answer is too long");
        return 0;
    }
    char* length = strstr(one->head, "Content-Length: ");
    if (strncmp(one->head, "HTTP/1.1 200 OK\r\n", 17) != 0 || length == NULL || length > end)
        wrong("a wrong answer");
    return (size_t)(end + 4 - one->head) + strtoul(length + 16, NULL, 10);
}

static void check_answer(connection* one) {
    if (one->got > one->expected)
        wrong("more than was asked for");
    if (run.http && memcmp(one->head + one->expected - 5, "hello", 5) != 0)
        wrong("another body");
}

/* True when the whole answer is there. */
static bool take(connection* one) {
    char spare[ECHO_SIZE + 1];
    char* target = run.http ? one->head + one->got : spare;
    size_t room = run.http ? sizeof(one->head) - 1 - one->got : sizeof(spare);
    ssize_t count = read(one->fd, target, room);
    if (count < 0 && errno == EAGAIN)
        return false;
    if (count <= 0)
        fail("the server closed a connection");
    one->got += (size_t)count;
    if (one->expected == 0)
        one->expected = answer_size(one);
    if (one->expected == 0 || one->got < one->expected)
        return false;
    check_answer(one);
    return true;
}

static void on_event(connection* one) {
    if (one->connecting) {
        int error = 0;
        socklen_t size = sizeof(error);
        getsockopt(one->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0) {
            errno = error;
            fail("connect");
        }
        one->connecting = false;
        watch(one, EPOLL_CTL_MOD, EPOLLIN);
        ask(one);
    } else if (take(one)) {
        run.done++;
        if (run.limit < 0)
            ask(one);
    }
}

static void turn(int milliseconds) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(run.poll, events, EVENTS, milliseconds);
    for (int i = 0; i < count; i++)
        on_event(events[i].data.ptr);
}

static connection* prepare(long count) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    run.poll = epoll_create1(EPOLL_CLOEXEC);
    connection* all = calloc((size_t)count, sizeof(*all));
    if (run.poll < 0 || all == NULL)
        fail("preparing");
    return all;
}

/* The last processor, or all others. */
static void choose_processors(bool last) {
    static cpu_set_t all; /* before anything was chosen */
    cpu_set_t chosen;
    int highest = -1;
    if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof(all), &all) != 0)
        return;
    if (CPU_COUNT(&all) < 2)
        return;
    for (int i = 0; i < CPU_SETSIZE; i++)
        highest = CPU_ISSET(i, &all) ? i : highest;
    chosen = all;
    if (last)
        CPU_ZERO(&chosen);
    else
        CPU_CLR(highest, &chosen);
    if (last)
        CPU_SET(highest, &chosen);
    sched_setaffinity(0, sizeof(chosen), &chosen);
}

/* Runs COMMAND until we end; gives its standard output. */
static FILE* start_server(char** command, bool alone, pid_t* pid) {
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        fail("pipe");
    *pid = fork();
    if (*pid < 0)
        fail("fork");
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(pipes[1], 1);
        choose_processors(!alone);
        execvp(command[0], command);
        _exit(127);
    }
    close(pipes[1]);
    return fdopen(pipes[0], "r");
}

static void work(double seconds) {
    for (double start = now(); now() - start < seconds;)
        turn(100);
}

/* The server, with all connections busy; the first half second warms caches and compilers up. */
static void begin(server* one, const char* kind, long connections, char** command) {
    static char echo[ECHO_SIZE];
    memset(echo, 'x', sizeof(echo));
    run.http = strcmp(kind, "http") == 0;
    run.message = run.http ? request : echo;
    run.length = run.http ? sizeof(request) - 1 : sizeof(echo);
    run.limit = -1;
    one->all = prepare(connections);
    one->count = connections;
    one->poll = run.poll;
    FILE* output = start_server(command, connections > 1, &one->pid);
    choose_processors(true);
    int port = 0;
    if (output == NULL || fscanf(output, "%d", &port) != 1)
        wrong("the server prints no port");
    for (long i = 0; i < connections; i++)
        open_connection(&one->all[i], port);
    work(0.5);
}

static int end(server* one) {
    kill(one->pid, SIGKILL);
    waitpid(one->pid, NULL, 0);
    free(one->all);
    return 0;
}

static int measure(const char* kind, long connections, double seconds, char** command) {
    server one;
    begin(&one, kind, connections, command);
    long before = run.done;
    double start = now();
    double cpu = cpu_time(one.pid);
    work(seconds);
    double count = (double)(run.done - before);
    printf("%.0f %s/s, %.3f us of CPU time each\n", count / (now() - start),
           run.http ? "requests" : "trips", (cpu_time(one.pid) - cpu) * 1e6 / count);
    return end(&one);
}

static void finish_round(long limit) {
    run.limit = limit;
    double start = now();
    while (run.done < limit) {
        turn(100);
        if (now() - start > 60)
            wrong("no answer for a minute");
    }
}

/* A server's CPU time for each request of a short while, in us. */
static double slice(server* one) {
    run.poll = one->poll;
    run.done = 0;
    run.limit = -1;
    double cpu = cpu_time(one->pid);
    for (long i = 0; i < one->count; i++)
        ask(&one->all[i]);
    work(0.025);
    finish_round(run.done + one->count);
    return (cpu_time(one->pid) - cpu) * 1e6 / (double)run.done;
}

static void tell(const server* one, const char* command) {
    char number[16];
    snprintf(number, sizeof(number), "%d", (int)one->pid);
    setenv("SERVER", number, 1);
    if (system(command) != 0)
        wrong("the command failed");
}

static int compare(long connections, long rounds, char** commands, char** words) {
    server servers[2];
    for (int i = 0; i < 2; i++) {
        begin(&servers[i], "http", connections, words);
        finish_round(run.done + connections);
    }
    for (int on = 1; on >= 0; on--) {
        tell(&servers[on], commands[0]);
        slice(&servers[on]);
        for (long i = 0; i < rounds / 2; i++) {
            double without = slice(&servers[!on]);
            printf("%.3f %.3f\n", without, slice(&servers[on]));
        }
        tell(&servers[on], commands[1]);
    }
    return end(&servers[0]) | end(&servers[1]);
}

static int hold(long connections, int port) {
    run.http = true;
    run.message = request;
    run.length = sizeof(request) - 1;
    connection* all = prepare(connections);
    for (long i = 0; i < connections; i += AT_ONCE) {
        long end = i + AT_ONCE < connections ? i + AT_ONCE : connections;
        for (long k = i; k < end; k++)
            open_connection(&all[k], port);
        finish_round(end);
    }
    printf("open %ld\n", connections);
    fflush(stdout);
    /* All are asked again when whoever watches says so. */
    if (getchar() == EOF)
        wrong("nobody is watching");
    for (long i = 0; i < connections; i += AT_ONCE) {
        long end = i + AT_ONCE < connections ? i + AT_ONCE : connections;
        for (long k = i; k < end; k++)
            ask(&all[k]);
        finish_round(connections + end);
    }
    printf("answered %ld\n", run.done);
    free(all);
    return 0;
}

int main(int argc, char** argv) {
    if (argc == 4 && strcmp(argv[1], "hold") == 0)
        return hold(atol(argv[2]), atoi(argv[3]));
    if (argc >= 5 && (strcmp(argv[1], "tcp") == 0 || strcmp(argv[1], "http") == 0))
        return measure(argv[1], atol(argv[2]), atof(argv[3]), argv + 4);
    if (argc >= 7 && strcmp(argv[1], "compare") == 0)
        return compare(atol(argv[2]), atol(argv[3]), argv + 4, argv + 6);
    fputs("usage: load tcp|http CONNECTIONS SECONDS SERVER...\n"
          "       load compare CONNECTIONS ROUNDS ON OFF SERVER...\n"
          "       load hold CONNECTIONS PORT\n",
          stderr);
    return 2;
}
