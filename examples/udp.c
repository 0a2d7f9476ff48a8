/* A question and its answer as datagrams. Nothing says that a datagram arrives, so whoever asks
 * keeps a timer beside the question and asks again. */

#include <string.h>

#include "must.h"

enum { ASK_AGAIN_MS = 200, TRIES = 10 };

static uv_udp_t server;
static uv_udp_t client;
static uv_timer_t again;
static struct sockaddr_in server_address;
static int tries;

/* One buffer is enough: it is ours again when the receive callback returns. */
static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    static char memory[2048];
    (void)handle, (void)suggested;
    *buffer = uv_buf_init(memory, sizeof(memory));
}

static void on_question(uv_udp_t* socket, ssize_t length, const uv_buf_t* buffer,
                        const struct sockaddr* from, unsigned flags) {
    must((int)length, "server: receiving");
    if (from == NULL) /* nothing more to read for now */
        return;
    if (flags & UV_UDP_PARTIAL)
        return; /* larger than the buffer: not one of our questions */
    printf("server: asked \"%.*s\"\n", (int)length, buffer->base);
    /* Sent at once or not at all: an answer that can't leave now is asked for again. */
    uv_buf_t answer = uv_buf_init("seven phases", 12);
    int sent = uv_udp_try_send(socket, &answer, 1, from);
    if (sent != UV_EAGAIN)
        must(sent, "server: sending");
}

static void on_answer(uv_udp_t* socket, ssize_t length, const uv_buf_t* buffer,
                      const struct sockaddr* from, unsigned flags) {
    (void)flags;
    must((int)length, "client: receiving");
    if (from == NULL)
        return;
    printf("client: heard \"%.*s\"\n", (int)length, buffer->base);
    uv_close((uv_handle_t*)socket, NULL);
    uv_close((uv_handle_t*)&again, NULL);
    uv_close((uv_handle_t*)&server, NULL);
}

static void on_sent(uv_udp_send_t* request, int status) {
    free(request);
    if (status != UV_ECANCELED)
        must(status, "client: sending");
}

static void ask(uv_timer_t* timer) {
    (void)timer;
    must(tries++ < TRIES ? 0 : UV_ETIMEDOUT, "client: asking");
    uv_udp_send_t* request = must_have(malloc(sizeof(*request)));
    uv_buf_t question = uv_buf_init("how does a loop turn?", 21);
    must(uv_udp_send(request, &client, &question, 1, (struct sockaddr*)&server_address, on_sent),
         "client: sending");
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    struct sockaddr_in any;
    int length = sizeof(server_address);
    must(uv_ip4_addr("127.0.0.1", 0, &any), "address"); /* port 0: any that is free */

    must(uv_udp_init(loop, &server), "server");
    must(uv_udp_bind(&server, (struct sockaddr*)&any, 0), "server: bind");
    must(uv_udp_getsockname(&server, (struct sockaddr*)&server_address, &length), "server: name");
    must(uv_udp_recv_start(&server, on_alloc, on_question), "server: receiving");

    must(uv_udp_init(loop, &client), "client");
    must(uv_udp_bind(&client, (struct sockaddr*)&any, 0), "client: bind");
    must(uv_udp_recv_start(&client, on_alloc, on_answer), "client: receiving");
    must(uv_timer_init(loop, &again), "timer");
    must(uv_timer_start(&again, ask, 0, ASK_AGAIN_MS), "timer: start");

    uv_run(loop, UV_RUN_DEFAULT);
    return close_loop(loop);
}
