/* Looking up names and addresses. Only names that every machine knows: no name server is asked. */
// threaded

#include <netdb.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_getaddrinfo_t name_req;
static uv_getnameinfo_t address_req;
static int calls, last_status;
static char last_host[NI_MAXHOST], last_service[NI_MAXSERV];

static const struct addrinfo numeric = {
    .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};

static struct sockaddr_in address(const char* ip, int port) {
    struct sockaddr_in addr;
    CHECK_OK(uv_ip4_addr(ip, port, &addr));
    return addr;
}

static void check_result(const struct addrinfo* ai, int port) {
    CHECK(ai != NULL);
    const struct sockaddr_in* addr = (const struct sockaddr_in*)ai->ai_addr;
    CHECK_EQ(ai->ai_family, AF_INET);
    CHECK_EQ(ai->ai_socktype, SOCK_STREAM);
    CHECK_EQ(ntohl(addr->sin_addr.s_addr), INADDR_LOOPBACK);
    CHECK_EQ(ntohs(addr->sin_port), port);
    CHECK(ai->ai_next == NULL);
}

static void on_name(uv_getaddrinfo_t* req, int status, struct addrinfo* res) {
    CHECK(req == &name_req);
    CHECK(req->addrinfo == res);
    CHECK((status == 0) == (res != NULL));
    calls++;
    last_status = status;
    if (status == 0)
        check_result(res, 8080);
    uv_freeaddrinfo(res);
}

static void on_address(uv_getnameinfo_t* req, int status, const char* host, const char* service) {
    CHECK(req == &address_req);
    CHECK((status == 0) == (host != NULL) && (status == 0) == (service != NULL));
    calls++;
    last_status = status;
    if (status != 0)
        return;
    CHECK(host == req->host && service == req->service);
    strcpy(last_host, host);
    strcpy(last_service, service);
}

static void end_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(getaddrinfo_without_a_callback_answers_at_once) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, NULL, "127.0.0.1", "8080", &numeric));
    check_result(name_req.addrinfo, 8080);
    uv_freeaddrinfo(name_req.addrinfo);
    CHECK(!uv_loop_alive(&loop));
    end_loop();
}

TEST(getaddrinfo_calls_back_later_and_keeps_the_loop_alive) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, on_name, "127.0.0.1", "8080", &numeric));
    CHECK_EQ(calls, 0);
    CHECK_EQ(name_req.type, UV_GETADDRINFO);
    CHECK(name_req.loop == &loop);
    CHECK(uv_loop_alive(&loop));
    end_loop();
    CHECK_EQ(calls, 1);
    CHECK_EQ(last_status, 0);
}

TEST(getaddrinfo_copies_all_its_arguments) {
    char host[] = "127.0.0.1", service[] = "8080";
    struct addrinfo hints = numeric;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, on_name, host, service, &hints));
    memset(host, 'x', sizeof(host) - 1);
    memset(service, 'x', sizeof(service) - 1);
    memset(&hints, 0xFF, sizeof(hints));
    end_loop();
    CHECK_EQ(last_status, 0);
}

TEST(getaddrinfo_checks_its_arguments) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_getaddrinfo(&loop, NULL, on_name, "127.0.0.1", NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getaddrinfo(&loop, &name_req, on_name, NULL, NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getaddrinfo(&loop, &name_req, NULL, NULL, NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getaddrinfo(&loop, &name_req, on_name, "", NULL, NULL), UV_EINVAL);
    CHECK(!uv_loop_alive(&loop));
    end_loop();
}

TEST(getaddrinfo_of_a_service_alone_gives_the_loopback_address) {
    CHECK_OK(uv_loop_init(&loop));
    struct addrinfo hints = numeric;
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, NULL, NULL, "8080", &hints));
    check_result(name_req.addrinfo, 8080);
    uv_freeaddrinfo(name_req.addrinfo);
    end_loop();
}

TEST(getaddrinfo_of_localhost_needs_no_hints) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, NULL, "localhost", NULL, NULL));
    CHECK(name_req.addrinfo != NULL);
    uv_freeaddrinfo(name_req.addrinfo);
    end_loop();
}

TEST(getaddrinfo_errors_have_their_own_numbers) {
    const struct {
        struct addrinfo hints;
        const char* host;
        const char* service;
        int error;
    } cases[] = {
        {{.ai_flags = AI_NUMERICHOST}, "no-number", NULL, UV_EAI_NONAME},
        {{.ai_family = AF_UNIX}, "127.0.0.1", NULL, UV_EAI_FAMILY},
        {{.ai_flags = 0x7FFF0000}, "127.0.0.1", NULL, UV_EAI_BADFLAGS},
        {{.ai_socktype = 77}, "127.0.0.1", "80", UV_EAI_SOCKTYPE},
        {{.ai_socktype = SOCK_STREAM}, "127.0.0.1", "no-such-service", UV_EAI_SERVICE},
        {{.ai_family = AF_INET6, .ai_flags = AI_NUMERICHOST}, "127.0.0.1", NULL, UV_EAI_ADDRFAMILY},
    };
    CHECK_OK(uv_loop_init(&loop));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_EQ(uv_getaddrinfo(&loop, &name_req, NULL, cases[i].host, cases[i].service,
                                &cases[i].hints),
                 cases[i].error);
        CHECK(name_req.addrinfo == NULL);
        CHECK_OK(uv_getaddrinfo(&loop, &name_req, on_name, cases[i].host, cases[i].service,
                                &cases[i].hints));
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_EQ(last_status, cases[i].error);
    }
    end_loop();
}

TEST(freeaddrinfo_of_null_does_nothing) {
    uv_freeaddrinfo(NULL);
}

TEST(getaddrinfo_refuses_names_that_are_not_utf8) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_getaddrinfo(&loop, &name_req, on_name, "a\xFF", NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getaddrinfo(&loop, &name_req, on_name, "a\xC0\x80", NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getaddrinfo(&loop, &name_req, on_name, "\xED\xA0\x80", NULL, NULL), UV_EINVAL);
    end_loop();
}

TEST(getaddrinfo_reads_wide_full_stops_as_dots) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, on_name,
                            "127\xE3\x80\x82"
                            "0\xEF\xBC\x8E"
                            "0.1",
                            "8080", &numeric));
    end_loop();
    CHECK_EQ(last_status, 0);
}

/* A name cut after 255 bytes could be the numeric address of some other machine. */
TEST(cve_2024_24806_long_host_names_are_refused_not_cut) {
    char name[5001];
    const size_t lengths[] = {256, 257, 300, 5000};
    CHECK_OK(uv_loop_init(&loop));
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        /* 0x000...07f000001, a number that a resolver takes as 127.0.0.1 when it is cut. */
        memset(name, '0', sizeof(name));
        memcpy(name, "0x", 2);
        memcpy(name + 246, "7f000001", 8);
        name[lengths[i]] = '\0';
        CHECK_EQ(uv_getaddrinfo(&loop, &name_req, NULL, name, NULL, NULL), UV_EINVAL);
        CHECK_EQ(uv_getaddrinfo(&loop, &name_req, on_name, name, NULL, NULL), UV_EINVAL);
    }
    CHECK(!uv_loop_alive(&loop));
    end_loop();
}

TEST(getaddrinfo_takes_a_name_of_255_bytes) {
    char name[256];
    CHECK_OK(uv_loop_init(&loop));
    memset(name, 'a', 255);
    name[255] = '\0';
    int err = uv_getaddrinfo(&loop, &name_req, NULL, name, NULL, &numeric);
    CHECK_EQ(err, UV_EAI_NONAME);
    end_loop();
}

TEST(getnameinfo_without_a_callback_answers_at_once) {
    struct sockaddr_in addr = address("127.0.0.1", 8080);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getnameinfo(&loop, &address_req, NULL, (const struct sockaddr*)&addr,
                            NI_NUMERICHOST | NI_NUMERICSERV));
    CHECK_STR(address_req.host, "127.0.0.1");
    CHECK_STR(address_req.service, "8080");
    end_loop();
}

TEST(getnameinfo_calls_back_later_with_an_ipv6_address) {
    struct sockaddr_in6 addr;
    CHECK_OK(uv_ip6_addr("::1", 8080, &addr));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getnameinfo(&loop, &address_req, on_address, (const struct sockaddr*)&addr,
                            NI_NUMERICHOST | NI_NUMERICSERV));
    memset(&addr, 0xFF, sizeof(addr));
    CHECK_EQ(calls, 0);
    CHECK_EQ(address_req.type, UV_GETNAMEINFO);
    end_loop();
    CHECK_EQ(calls, 1);
    CHECK_STR(last_host, "::1");
    CHECK_STR(last_service, "8080");
}

TEST(getnameinfo_checks_its_arguments) {
    struct sockaddr_in addr = address("127.0.0.1", 80);
    struct sockaddr bad = {.sa_family = 99};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_getnameinfo(&loop, NULL, on_address, (const struct sockaddr*)&addr, 0), UV_EINVAL);
    CHECK_EQ(uv_getnameinfo(&loop, &address_req, on_address, NULL, 0), UV_EINVAL);
    CHECK_EQ(uv_getnameinfo(&loop, &address_req, on_address, &bad, 0), UV_EINVAL);
    end_loop();
}

TEST(getnameinfo_errors_come_without_names) {
    struct sockaddr_in addr = address("127.0.0.1", 80);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_getnameinfo(&loop, &address_req, NULL, (const struct sockaddr*)&addr, 0x10000),
             UV_EAI_BADFLAGS);
    CHECK_OK(
        uv_getnameinfo(&loop, &address_req, on_address, (const struct sockaddr*)&addr, 0x10000));
    end_loop();
    CHECK_EQ(last_status, UV_EAI_BADFLAGS);
}

static uv_sem_t gate;

static void wait_at_gate(uv_work_t* req) {
    (void)req;
    uv_sem_wait(&gate);
}

static void gate_passed(uv_work_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
}

TEST(lookups_that_have_not_started_can_be_cancelled) {
    static uv_work_t work;
    struct sockaddr_in addr = address("127.0.0.1", 80);
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_queue_work(&loop, &work, wait_at_gate, gate_passed));
    CHECK_OK(uv_getaddrinfo(&loop, &name_req, on_name, "127.0.0.1", NULL, &numeric));
    CHECK_OK(uv_getnameinfo(&loop, &address_req, on_address, (const struct sockaddr*)&addr, 0));
    CHECK_OK(uv_cancel((uv_req_t*)&name_req));
    CHECK_OK(uv_cancel((uv_req_t*)&address_req));
    CHECK_EQ(calls, 0);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 2);
    CHECK_EQ(last_status, UV_EAI_CANCELED);
    uv_sem_destroy(&gate);
    end_loop();
}

static int answered;

static void check_own_port(uv_getnameinfo_t* req, int status, const char* host,
                           const char* service) {
    CHECK_EQ(status, 0);
    CHECK_STR(host, "127.0.0.1");
    CHECK_EQ(atoi(service), *(int*)req->data);
    answered++;
}

TEST(many_lookups_at_once_all_get_their_own_answer) {
    enum { COUNT = 100 };
    static uv_getnameinfo_t reqs[COUNT];
    static int ports[COUNT];
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < COUNT; i++) {
        struct sockaddr_in addr = address("127.0.0.1", i + 1);
        ports[i] = i + 1;
        reqs[i].data = &ports[i];
        CHECK_OK(uv_getnameinfo(&loop, &reqs[i], check_own_port, (const struct sockaddr*)&addr,
                                NI_NUMERICHOST | NI_NUMERICSERV));
    }
    end_loop();
    CHECK_EQ(answered, COUNT);
}
