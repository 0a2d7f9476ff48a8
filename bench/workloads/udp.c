/* Datagrams between pairs of sockets on one loop; each pair keeps some on their way. */
#include "sockets.h"

#include <netinet/udp.h>

enum { DATAGRAM = 64, WINDOW = 8, PAIRS_AT_MOST = 10 };

typedef struct {
    uv_udp_t from, to;
    struct sockaddr_storage address;
} pair;

static pair pairs[PAIRS_AT_MOST];
static char payload[DATAGRAM], buffer[65536];
static long received;
static double end;

static void sent(uv_udp_send_t* send, int status) {
    MUST(status == 0);
    free(send);
}

static void send_one(pair* p) {
    uv_buf_t buf = uv_buf_init(payload, DATAGRAM);
    uv_udp_send_t* send = malloc(sizeof(*send));
    MUST(uv_udp_send(send, &p->from, &buf, 1, (struct sockaddr*)&p->address, sent) == 0);
}

static void give_datagram(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(buffer, sizeof(buffer));
}

static void receive(uv_udp_t* udp, ssize_t size, const uv_buf_t* buf, const struct sockaddr* from,
                    unsigned int flags) {
    (void)buf;
    (void)flags;
    if (size <= 0 || from == NULL)
        return;
    if (++received % 256 == 0 && wall_seconds() >= end)
        uv_stop(udp->loop);
    send_one(udp->data);
}

static void report_datagrams(const bench_case* c, double wall, double cpu) {
    report(c, "", "datagrams/s", (double)received / (wall_seconds() - wall), "higher");
    report(c, "cpu", "us/datagram", (cpu_seconds() - cpu) / (double)received * 1e6, "lower");
}

static void run(const bench_case* c) {
    static uv_loop_t loop;
    MUST(uv_loop_init(&loop) == 0);
    for (int i = 0; i < c->count; i++) {
        pair* p = &pairs[i];
        int size = sizeof(p->address);
        p->address = address_for(c);
        p->to.data = p;
        MUST(uv_udp_init(&loop, &p->to) == 0 && uv_udp_init(&loop, &p->from) == 0);
        MUST(uv_udp_bind(&p->to, (struct sockaddr*)&p->address, 0) == 0);
        MUST(uv_udp_getsockname(&p->to, (struct sockaddr*)&p->address, &size) == 0);
        MUST(uv_udp_recv_start(&p->to, give_datagram, receive) == 0);
        for (int n = 0; n < WINDOW; n++)
            send_one(p);
    }
    double wall = wall_seconds(), cpu = cpu_seconds();
    end = wall + BENCH_WINDOW;
    uv_run(&loop, UV_RUN_DEFAULT);
    report_datagrams(c, wall, cpu);
}

static int udp_socket(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    MUST(fd >= 0);
    return fd;
}

/* What recvmmsg fills: each datagram with its sender. */
typedef struct {
    struct mmsghdr messages[WINDOW];
    struct sockaddr_storage senders[WINDOW];
    struct iovec part;
} batch;

static void prepare_batch(batch* b) {
    b->part = (struct iovec){buffer, sizeof(buffer)};
    for (int i = 0; i < WINDOW; i++)
        b->messages[i].msg_hdr = (struct msghdr){.msg_name = &b->senders[i],
                                                 .msg_namelen = sizeof(b->senders[i]),
                                                 .msg_iov = &b->part,
                                                 .msg_iovlen = 1};
}

/* The kernel cuts one send into so many datagrams: the sender has the option UDP_SEGMENT. */
static void send_segmented(int from, const struct sockaddr_storage* to, int datagrams) {
    static const char payloads[WINDOW * DATAGRAM];
    ssize_t size = (ssize_t)datagrams * DATAGRAM;
    MUST(sendto(from, payloads, (size_t)size, 0, (const struct sockaddr*)to, address_size(to)) ==
         size);
}

static void limit(const bench_case* c) {
    static batch in;
    struct epoll_event events[PAIRS_AT_MOST];
    int from[PAIRS_AT_MOST], to[PAIRS_AT_MOST], epoll = epoll_create1(EPOLL_CLOEXEC);
    int segment = DATAGRAM;
    prepare_batch(&in);
    for (int i = 0; i < c->count; i++) {
        struct sockaddr_storage* address = &pairs[i].address;
        socklen_t size = sizeof(*address);
        *address = address_for(c);
        from[i] = udp_socket();
        to[i] = udp_socket();
        MUST(setsockopt(from[i], SOL_UDP, UDP_SEGMENT, &segment, sizeof(segment)) == 0);
        MUST(bind(to[i], (struct sockaddr*)address, address_size(address)) == 0);
        MUST(getsockname(to[i], (struct sockaddr*)address, &size) == 0);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = i};
        MUST(epoll_ctl(epoll, EPOLL_CTL_ADD, to[i], &event) == 0);
        send_segmented(from[i], address, WINDOW);
    }
    double wall = wall_seconds(), cpu = cpu_seconds();
    end = wall + BENCH_WINDOW;
    while (wall_seconds() < end) {
        int n = epoll_wait(epoll, events, PAIRS_AT_MOST, -1);
        for (int e = 0; e < n; e++) {
            int i = events[e].data.fd;
            int got = recvmmsg(to[i], in.messages, WINDOW, 0, NULL);
            MUST(got > 0);
            send_segmented(from[i], &pairs[i].address, got);
            received += got;
        }
    }
    report_datagrams(c, wall, cpu);
}

static const bench_case cases[] = {
    {"udp-1", run, limit, 1, 0, NULL},
    {"udp-10", run, limit, 10, 0, NULL},
};
BENCH_MAIN(cases)
