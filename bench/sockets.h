#ifndef BENCH_SOCKETS_H
#define BENCH_SOCKETS_H

/*
 * The other end of every socket workload: a client on plain epoll, the same for all libraries. It
 * is the parent; the server under test is its child, so the child's CPU clock is the server's cost.
 */

#include "common.h"

#include <sys/un.h>

typedef struct {
    struct sockaddr_storage address;
    pid_t pid;
    clockid_t clock;
} server;

enum { CONNECTIONS_AT_MOST = 1000 };

typedef struct {
    int epoll;
    int count;
    int fds[CONNECTIONS_AT_MOST];
} client;

/* A server says where it listens, then serves until it is killed. */
typedef struct {
    int ready;
    const bench_case* c;
} server_side;

static inline int is_pipe(const bench_case* c) {
    return strstr(c->name, "pipe") != NULL;
}

static inline socklen_t address_size(const struct sockaddr_storage* address) {
    return address->ss_family == AF_UNIX ? sizeof(struct sockaddr_un) : sizeof(struct sockaddr_in);
}

/* A free loopback port, or a path of this process. */
static inline struct sockaddr_storage address_for(const bench_case* c) {
    struct sockaddr_storage address = {0};
    if (is_pipe(c)) {
        struct sockaddr_un* un = (struct sockaddr_un*)&address;
        const char* folder = getenv("TMPDIR");
        un->sun_family = AF_UNIX;
        snprintf(un->sun_path, sizeof(un->sun_path), "%s/bench-%d.sock", folder ? folder : "/tmp",
                 getpid());
    } else {
        struct sockaddr_in* in = (struct sockaddr_in*)&address;
        in->sin_family = AF_INET;
        in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    return address;
}

static inline void announce(const server_side* side, const struct sockaddr_storage* address) {
    MUST(write(side->ready, address, sizeof(*address)) == sizeof(*address));
}

static inline server start_server(const bench_case* c, void (*serve)(const server_side* side)) {
    server s;
    int ready[2];
    MUST(pipe(ready) == 0);
    MUST((s.pid = fork()) >= 0);
    if (s.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        take_side(0);
        server_side side = {ready[1], c};
        close(ready[0]);
        serve(&side);
        _exit(1);
    }
    close(ready[1]);
    take_side(1);
    if (read(ready[0], &s.address, sizeof(s.address)) != sizeof(s.address))
        exit(127); /* the server has said why */
    close(ready[0]);
    MUST(clock_getcpuclockid(s.pid, &s.clock) == 0);
    return s;
}

static inline void stop_server(server* s) {
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    if (s->address.ss_family == AF_UNIX)
        unlink(((struct sockaddr_un*)&s->address)->sun_path);
}

static inline int connect_to(const server* s, int type) {
    int on = 1;
    int fd = socket(s->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | type, 0);
    MUST(fd >= 0);
    if (s->address.ss_family == AF_INET)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    int failed = connect(fd, (const struct sockaddr*)&s->address, address_size(&s->address));
    MUST(failed == 0 || errno == EINPROGRESS);
    return fd;
}

static inline client connect_client(const server* s, int count, uint32_t events) {
    client k = {.epoll = epoll_create1(EPOLL_CLOEXEC), .count = count};
    MUST(count <= CONNECTIONS_AT_MOST);
    for (int i = 0; i < count; i++) {
        k.fds[i] = connect_to(s, 0);
        fcntl(k.fds[i], F_SETFL, O_NONBLOCK);
        watch(k.epoll, k.fds[i], events);
    }
    return k;
}

/* Calls step for each ready descriptor; returns the sum of what it returned. */
static inline double pump(client* k, double seconds, long (*step)(client* k, int fd)) {
    struct epoll_event events[256];
    double done = 0, end = wall_seconds() + seconds;
    while (wall_seconds() < end) {
        int n = epoll_wait(k->epoll, events, 256, 100);
        for (int i = 0; i < n; i++)
            done += (double)step(k, events[i].data.fd);
    }
    return done;
}

/* After a warm-up. One unit is so many of what step returns; scale is for the unit's name. */
static inline void measure(const bench_case* c, server* s, client* k,
                           long (*step)(client* k, int fd), double per_unit, const char* rate_unit,
                           const char* cpu_unit) {
    pump(k, BENCH_WINDOW / 5, step);
    double cpu = seconds_on(s->clock), start = wall_seconds();
    double units = pump(k, BENCH_WINDOW, step) / per_unit;
    double spent = wall_seconds() - start;
    report(c, "", rate_unit, units / spent, "higher");
    report(c, "cpu", cpu_unit, (seconds_on(s->clock) - cpu) / units * 1e6, "lower");
    stop_server(s);
}

/* The hand-written server: serve_fd gets the ready connections, one call per event. */
static inline void serve_raw(const server_side* side, uint32_t interest, void (*serve_fd)(int fd)) {
    struct epoll_event events[1024];
    struct sockaddr_storage address = address_for(side->c);
    socklen_t size = address_size(&address);
    int on = 1, epoll = epoll_create1(EPOLL_CLOEXEC);
    int listener = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    MUST(listener >= 0 && bind(listener, (struct sockaddr*)&address, size) == 0);
    MUST(listen(listener, 1024) == 0);
    MUST(is_pipe(side->c) || getsockname(listener, (struct sockaddr*)&address, &size) == 0);
    watch(epoll, listener, EPOLLIN);
    announce(side, &address);
    for (;;) {
        int n = epoll_wait(epoll, events, 1024, -1);
        for (int i = 0; i < n; i++) {
            if (events[i].data.fd != listener) {
                serve_fd(events[i].data.fd);
                continue;
            }
            int fd;
            while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                if (!is_pipe(side->c))
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
                watch(epoll, fd, interest);
            }
        }
    }
}

/* The same with the library: on_connection gets an initialised, accepted connection. */
typedef struct {
    union {
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } u;
    uv_write_t write;
    char buffer[256];
} connection;

static void (*serve_connection)(connection* conn);
static connection listening;

static inline void init_stream(uv_loop_t* loop, connection* conn, int pipe) {
    if (pipe)
        uv_pipe_init(loop, &conn->u.pipe, 0);
    else
        uv_tcp_init(loop, &conn->u.tcp);
}

static inline void accept_connection(uv_stream_t* listener, int status) {
    connection* conn = malloc(sizeof(*conn));
    int pipe = uv_handle_get_type((uv_handle_t*)listener) == UV_NAMED_PIPE;
    MUST(status == 0 && conn != NULL);
    init_stream(uv_handle_get_loop((uv_handle_t*)listener), conn, pipe);
    MUST(uv_accept(listener, &conn->u.stream) == 0);
    if (!pipe)
        uv_tcp_nodelay(&conn->u.tcp, 1);
    serve_connection(conn);
}

static inline void serve_uv(const server_side* side, void (*on_connection)(connection* conn)) {
    static uv_loop_t loop;
    struct sockaddr_storage address = address_for(side->c);
    int size = sizeof(address);
    serve_connection = on_connection;
    MUST(uv_loop_init(&loop) == 0);
    init_stream(&loop, &listening, is_pipe(side->c));
    if (is_pipe(side->c)) {
        const char* path = ((struct sockaddr_un*)&address)->sun_path;
        MUST(uv_pipe_bind(&listening.u.pipe, path) == 0);
    } else {
        MUST(uv_tcp_bind(&listening.u.tcp, (struct sockaddr*)&address, 0) == 0);
        uv_tcp_getsockname(&listening.u.tcp, (struct sockaddr*)&address, &size);
    }
    MUST(uv_listen(&listening.u.stream, 1024, accept_connection) == 0);
    announce(side, &address);
    uv_run(&loop, UV_RUN_DEFAULT);
}

static inline void give_buffer(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    connection* conn = (connection*)handle;
    (void)suggested;
    *buf = uv_buf_init(conn->buffer, sizeof(conn->buffer));
}

static inline void free_connection(uv_handle_t* handle) {
    free(handle);
}

#endif
