/*
 * One simulated world: clients and servers on one loop that are cancelled, fail or run out of time
 * at random moments, and supervised actors on two threads that crash. Afterwards nothing may be
 * left, and everything that was promised has happened. Ends with 0, or says what is wrong.
 */
#include <phasor.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 6, MESSAGES = 8, CRASHES = 3 };

#define WANT(condition)                                                                   \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            _Exit(1);                                                                     \
        }                                                                                 \
    } while (0)

static unsigned chance(unsigned limit) {
    return phasor_sim_active() ? (unsigned)phasor_sim_random(limit) : (unsigned)rand() % limit;
}

static struct sockaddr_in address;
static int served;

static int serve(void* arg) {
    uv_tcp_t* client = arg;
    char memory[512];
    ssize_t n;
    served++;
    while ((n = go_read((uv_stream_t*)client, memory, sizeof(memory), go_after(2000))) > 0)
        if (go_write((uv_stream_t*)client, memory, (size_t)n, go_after(2000)) != 0)
            break;
    go_close((uv_handle_t*)client);
    free(client);
    return 0;
}

static int accept_all(void* arg) {
    go_group_t clients;
    int status = 0;
    WANT(go_group_init(&clients, NULL) == 0);
    while (status == 0) {
        uv_tcp_t* client = malloc(sizeof(*client));
        uv_tcp_init(go_loop(), client);
        status = go_accept(arg, (uv_stream_t*)client, GO_NEVER);
        if (status == 0 && go_group_start(&clients, serve, client) == 0)
            continue;
        go_close((uv_handle_t*)client);
        free(client);
    }
    go_group_cancel(&clients);
    go_group_wait(&clients, GO_NEVER);
    return status;
}

/* What a call may say to a client that is cancelled, has little time and a bad network. */
static int may_be(int status) {
    return status == 0 || status == UV_ECANCELED || status == UV_ETIMEDOUT || status == UV_EOF ||
           status == UV_ECONNRESET || status == UV_EPIPE || status == UV_ECONNREFUSED ||
           status == UV_ECONNABORTED || status == UV_EHOSTUNREACH || status == UV_ENETUNREACH ||
           status == UV_ENOMEM || status == UV_ENOBUFS || status == UV_EMFILE ||
           status == UV_ENFILE || status == UV_EADDRINUSE || status == UV_EADDRNOTAVAIL;
}

static go_suspends int talk(uv_stream_t* stream) {
    char out[200], in[200];
    int status = 0;
    for (int i = 0; i < MESSAGES && status == 0; i++) {
        size_t size = 1 + chance(sizeof(out));
        memset(out, 'a' + i, size);
        status = go_write(stream, out, size, go_after(1 + chance(300)));
        ssize_t n = status == 0 ? go_read_exactly(stream, in, size, go_after(1 + chance(300))) : 0;
        WANT(n <= 0 || ((size_t)n == size && memcmp(in, out, size) == 0));
        status = n < 0 ? (int)n : status;
        if (status == 0)
            status = go_sleep(chance(20));
    }
    return status;
}

static int call(void* arg) {
    uv_tcp_t tcp;
    (void)arg;
    uv_tcp_init(go_loop(), &tcp);
    int status = go_tcp_connect(&tcp, (struct sockaddr*)&address, go_after(1 + chance(500)));
    if (status == 0)
        status = talk((uv_stream_t*)&tcp);
    WANT(may_be(status));
    WANT(go_close((uv_handle_t*)&tcp) == 0);
    return status;
}

static go_suspends void cancel_some(go_t** clients) {
    for (int i = 0; i < CLIENTS; i++) {
        if (chance(2) == 0)
            go_cancel(clients[i]);
        WANT(go_sleep(chance(30)) == 0);
    }
}

static int storm(void* arg) {
    uv_tcp_t server;
    go_t *acceptor, *clients[CLIENTS];
    int size = sizeof(address), result;
    (void)arg;
    result = go_tcp_listen(NULL, &server, "127.0.0.1", 0);
    WANT(may_be(result));
    if (result != 0)
        return 0; /* a world in which nobody listens */
    uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size);
    WANT(go_start_with(go_loop(), NULL, accept_all, &server, &acceptor) == 0);
    for (int i = 0; i < CLIENTS; i++)
        WANT(go_start_with(go_loop(), NULL, call, NULL, &clients[i]) == 0);
    cancel_some(clients);
    for (int i = 0; i < CLIENTS; i++) {
        WANT(go_join(clients[i], &result, GO_NEVER) == 0);
        WANT(may_be(result));
        go_release(clients[i]);
    }
    go_cancel(acceptor);
    WANT(go_join(acceptor, &result, GO_NEVER) == 0 && may_be(result) && result != 0);
    go_release(acceptor);
    WANT(go_count(go_loop()) == 1);
    return go_close((uv_handle_t*)&server);
}

static atomic_int begun, received, failed;

static int begin(go_actor_t* self, void* arg) {
    int* state = go_actor_state(self);
    (void)arg;
    WANT(*state == 0); /* a new one each time */
    *state = 1;
    begun++;
    return 0;
}

static go_suspends int receive(go_actor_t* self, const void* message, size_t size) {
    (void)self;
    WANT(size == 1);
    received++;
    if (*(const char*)message != 'c')
        return go_sleep(chance(5));
    failed++;
    return UV_EIO;
}

/* Each message is taken once, whatever fails; a crash too many ends the actor. */
static int supervise(void* arg) {
    go_actor_t* actor;
    int crashes = (int)chance(CRASHES + 2), why = 0, sent = 0;
    const go_actor_options_t options = {.name = "worker",
                                        .begin = begin,
                                        .receive = receive,
                                        .state_size = sizeof(int),
                                        .restarts = CRASHES,
                                        .pause_ms = 1 + chance(20),
                                        .pause_most_ms = 50};
    WANT(go_actor_start(arg, &options, &actor) == 0);
    for (int i = 0; i < crashes; i++) {
        for (unsigned more = chance(4); more > 0; more--, sent++)
            WANT(go_actor_send(actor, "m", 1) == 0);
        WANT(go_actor_send(actor, "c", 1) == 0);
        sent++;
        if (chance(2) == 0)
            WANT(go_sleep(chance(10)) == 0);
    }
    while (received < sent || (crashes <= CRASHES && begun < crashes + 1))
        WANT(go_sleep(5) == 0);
    if (crashes <= CRASHES)
        go_actor_stop(actor);
    WANT(go_actor_wait(actor, &why, GO_NEVER) == 0);
    WANT(why == (crashes > CRASHES ? UV_EIO : 0));
    WANT(failed == crashes);
    WANT(begun == (crashes > CRASHES ? crashes : crashes + 1));
    go_actor_release(actor);
    return 0;
}

int main(void) {
    go_workers_t* workers;
    WANT(go_main(storm, NULL) == 0);
    WANT(go_workers_start(&workers, 2) == 0);
    WANT(go_main(supervise, workers) == 0);
    go_workers_stop(workers);
    return 0;
}
