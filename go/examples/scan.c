/* A scanner of ports on loopback: at most 100 at a time, each with a deadline. */
#include <phasor_go.h>

#include "must.h"

enum { PORTS = 2000, AT_ONCE = 100 };

static go_semaphore_t places;
static int first_port, open_count;

static int probe(void* arg) {
    int port = (int)(intptr_t)arg;
    struct sockaddr_in address;
    uv_tcp_t tcp;
    MUST(go_semaphore_acquire(&places, GO_NEVER));
    MUST(uv_ip4_addr("127.0.0.1", port, &address));
    MUST(uv_tcp_init(go_loop(), &tcp));
    if (go_tcp_connect(&tcp, (struct sockaddr*)&address, go_after(1000)) == 0) {
        open_count++;
        if (port == first_port)
            printf("the port that we opened is open\n");
    }
    go_close((uv_handle_t*)&tcp);
    go_semaphore_release(&places);
    return 0;
}

static int run(void* arg) {
    uv_tcp_t server;
    struct sockaddr_in address;
    int size = sizeof(address);
    go_group_t group;
    (void)arg;
    MUST(go_tcp_listen(NULL, &server, "127.0.0.1", 0));
    MUST(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    first_port = ntohs(address.sin_port);
    int from = first_port > 65535 - PORTS ? 65535 - PORTS : first_port - PORTS / 2;
    if (from < 1)
        from = 1;
    go_semaphore_init(&places, AT_ONCE);
    MUST(go_group_init(&group, NULL));
    for (int i = 0; i <= PORTS; i++)
        MUST(go_group_start(&group, probe, (void*)(intptr_t)(from + i)));
    MUST(go_group_wait(&group, GO_NEVER));
    printf("%d ports scanned, at least one is open: %s\n", PORTS + 1,
           open_count > 0 ? "yes" : "no");
    return go_close((uv_handle_t*)&server);
}

int main(void) {
    MUST(go_main(run, NULL));
    return 0;
}
