#include "workers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int go__worker_mail(struct go__worker* worker, struct go__mail* mail) {
    int status = UV_ECANCELED;
    uv_mutex_lock(&worker->mutex);
    if (!worker->closed) {
        go__mail_send(worker->scheduler, mail);
        status = 0;
    }
    uv_mutex_unlock(&worker->mutex);
    return status;
}

struct go__worker* go__worker_pick(go_workers_t* workers, unsigned number) {
    if (number == GO_ANY)
        number = atomic_fetch_add(&workers->next, 1) % workers->count;
    return number < workers->count ? &workers->workers[number] : NULL;
}

static bool has_mail(const struct go__worker* worker) {
    return atomic_load(&worker->scheduler->mail) != NULL;
}

/* Whether this is the end: nothing is left to do, and nothing will come. */
static bool close_mail(struct go__worker* worker) {
    uv_mutex_lock(&worker->mutex);
    worker->closed = !has_mail(worker);
    uv_mutex_unlock(&worker->mutex);
    return worker->closed;
}

static void run_worker(void* arg) {
    struct go__worker* worker = arg;
    struct go__scheduler* s = worker->scheduler;
    do {
        uv_run(&worker->loop, UV_RUN_DEFAULT);
        go__mail_take(s);
        if (s->live > 0 && !uv_loop_alive(&worker->loop)) {
            go__end_deadlock(s);
            if (s->live > 0 && !uv_loop_alive(&worker->loop))
                abort(); /* they are shielded, and wait for ever */
        }
    } while (s->live > 0 || uv_loop_alive(&worker->loop) || !close_mail(worker));
    go_loop_close(&worker->loop);
    uv_loop_close(&worker->loop);
}

static void on_join(struct go__mail* mail) {
    struct go__worker* worker = GO_OF(mail, struct go__worker, join);
    if (!worker->joining)
        go__mail_expect(worker->scheduler, -1);
    worker->joining = true;
}

static void on_stop(struct go__mail* mail) {
    struct go__worker* worker = GO_OF(mail, struct go__worker, stop);
    worker->stopping = true;
    go__cancel_all(worker->scheduler);
    on_join(&worker->join);
}

/* A worker whose thread does not run yet. */
static int open_worker(struct go__worker* worker) {
    worker->join.run = on_join;
    worker->stop.run = on_stop;
    int status = uv_mutex_init(&worker->mutex);
    if (status != 0)
        return status;
    status = uv_loop_init(&worker->loop);
    if (status != 0) {
        uv_mutex_destroy(&worker->mutex);
        return status;
    }
    worker->scheduler = go__scheduler_of(&worker->loop);
    status = worker->scheduler != NULL ? go__mail_open(worker->scheduler) : UV_ENOMEM;
    if (status == 0) {
        go__mail_expect(worker->scheduler, 1);
        status = uv_thread_create(&worker->thread, run_worker, worker);
    }
    if (status != 0) {
        if (worker->scheduler != NULL)
            go_loop_close(&worker->loop);
        uv_loop_close(&worker->loop);
        uv_mutex_destroy(&worker->mutex);
    }
    return status;
}

int go_workers_start(go_workers_t** workers, unsigned count) {
    if (count == 0)
        count = uv_available_parallelism();
    *workers = calloc(1, sizeof(**workers) + count * sizeof(struct go__worker));
    if (*workers == NULL)
        return UV_ENOMEM;
    for (unsigned i = 0; i < count; i++) {
        int status = open_worker(&(*workers)->workers[i]);
        if (status != 0) {
            go_workers_stop(*workers);
            *workers = NULL;
            return status;
        }
        (*workers)->count = i + 1;
    }
    return 0;
}

unsigned go_workers_count(const go_workers_t* workers) {
    return workers->count;
}

static void end_workers(go_workers_t* workers, bool stop) {
    for (unsigned i = 0; i < workers->count; i++)
        go__worker_mail(&workers->workers[i],
                        stop ? &workers->workers[i].stop : &workers->workers[i].join);
    for (unsigned i = 0; i < workers->count; i++) {
        uv_thread_join(&workers->workers[i].thread);
        uv_mutex_destroy(&workers->workers[i].mutex);
    }
    free(workers);
}

void go_workers_join(go_workers_t* workers) {
    end_workers(workers, false);
}

void go_workers_stop(go_workers_t* workers) {
    end_workers(workers, true);
}

/* Starting from another thread. */
struct start {
    struct go__mail mail; /* first */
    struct go__worker* worker;
    go_options_t options;
    char name[GO_NAME_SIZE];
    go_fn fn;
    void* arg;
};

static void on_start(struct go__mail* mail) {
    struct start start = *(struct start*)mail;
    go_t* go = NULL;
    free(mail);
    start.options.name = start.name;
    int status = go__begin(start.worker->scheduler, &start.options, start.fn, start.arg, NULL,
                           start.worker->stopping ? &go : NULL);
    if (status != 0) {
        /* The starter has gone on, and counts on it. */
        fprintf(stderr, "phasor_go: no stack for coroutine \"%s\" on a worker: %s\n", start.name,
                uv_strerror(status));
        abort();
    }
    if (go != NULL) {
        go_cancel(go);
        go_release(go);
    }
}

int go_workers_go(go_workers_t* workers, unsigned number, const go_options_t* options, go_fn fn,
                  void* arg) {
    struct go__worker* worker = go__worker_pick(workers, number);
    if (worker == NULL || fn == NULL)
        return UV_EINVAL;
    struct start* start = calloc(1, sizeof(*start));
    if (start == NULL)
        return UV_ENOMEM;
    start->mail.run = on_start;
    start->worker = worker;
    start->fn = fn;
    start->arg = arg;
    if (options != NULL) {
        start->options = *options;
        if (options->name != NULL)
            strncpy(start->name, options->name, sizeof(start->name) - 1);
    }
    int status = go__worker_mail(worker, &start->mail);
    if (status != 0)
        free(start);
    return status;
}

/* A server on every loop. */

struct server {
    int fd;
    int (*serve)(uv_stream_t* client, void* arg);
    void* arg;
};

struct connection {
    uv_tcp_t tcp; /* first */
    const struct server* server;
};

static int serve_connection(void* arg) {
    struct connection* connection = arg;
    connection->server->serve((uv_stream_t*)&connection->tcp, connection->server->arg);
    go_close((uv_handle_t*)&connection->tcp);
    free(connection);
    return 0; /* the others go on, however it went */
}

static go_suspends int accept_one(const struct server* server, uv_tcp_t* listening,
                                  go_group_t* group) {
    struct connection* connection = malloc(sizeof(*connection));
    if (connection == NULL)
        return UV_ENOMEM;
    int status = uv_tcp_init(go_loop(), &connection->tcp);
    if (status == 0) {
        connection->server = server;
        status = go_accept((uv_stream_t*)listening, (uv_stream_t*)&connection->tcp, GO_NEVER);
        if (status == 0)
            status = go_group_start_with(group, &(go_options_t){.name = "connection"},
                                         serve_connection, connection);
        if (status == 0)
            return 0;
        go_close((uv_handle_t*)&connection->tcp);
    }
    free(connection);
    return status;
}

static int accept_all(void* arg) {
    struct server server = *(struct server*)arg;
    uv_tcp_t listening;
    go_group_t group;
    free(arg);
    int status = uv_tcp_init(go_loop(), &listening);
    if (status != 0) {
        close(server.fd);
        return status;
    }
    status = uv_tcp_open(&listening, server.fd);
    if (status != 0)
        close(server.fd);
    else
        status = go_listen((uv_stream_t*)&listening, 511);
    go_group_init(&group, NULL);
    while (status == 0) {
        status = accept_one(&server, &listening, &group);
        if (status != 0 && status != UV_ECANCELED)
            status = go_sleep(50); /* no descriptors or no memory: others may end meanwhile */
    }
    go_close((uv_handle_t*)&listening);
    go_group_cancel(&group);
    go_group_wait(&group, GO_NEVER);
    return status;
}

static int open_server(const struct sockaddr* address, socklen_t size) {
    int on = 1;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) != 0 ||
        bind(fd, address, size) != 0 || listen(fd, 511) != 0) {
        int status = -errno;
        close(fd);
        return status;
    }
    return fd;
}

static int serve_on(go_workers_t* workers, unsigned number, int fd,
                    int (*serve)(uv_stream_t* client, void* arg), void* arg) {
    struct server* server = malloc(sizeof(*server));
    int status = UV_ENOMEM;
    if (server != NULL) {
        *server = (struct server){fd, serve, arg};
        status =
            go_workers_go(workers, number, &(go_options_t){.name = "server"}, accept_all, server);
    }
    if (status != 0) {
        close(fd);
        free(server);
    }
    return status;
}

int go_workers_serve(go_workers_t* workers, const char* ip, int* port,
                     int (*serve)(uv_stream_t* client, void* arg), void* arg) {
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(struct sockaddr_in);
    if (uv_ip4_addr(ip, *port, (struct sockaddr_in*)&address) != 0) {
        size = sizeof(struct sockaddr_in6);
        if (uv_ip6_addr(ip, *port, (struct sockaddr_in6*)&address) != 0)
            return UV_EINVAL;
    }
    int* fds = calloc(workers->count, sizeof(int));
    if (fds == NULL)
        return UV_ENOMEM;
    int status = 0;
    unsigned opened = 0;
    while (opened < workers->count && status == 0) {
        fds[opened] = open_server((const struct sockaddr*)&address, size);
        if (fds[opened] < 0)
            status = fds[opened];
        else /* the others bind the port that the first one got */
            getsockname(fds[opened++], (struct sockaddr*)&address, &size);
    }
    for (unsigned i = 0; i < opened; i++) {
        if (status == 0)
            status = serve_on(workers, i, fds[i], serve, arg);
        else
            close(fds[i]);
    }
    free(fds);
    if (status == 0) /* at the same place for both families */
        *port = ntohs(((struct sockaddr_in*)&address)->sin_port);
    return status;
}
