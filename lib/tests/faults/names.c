// wrap: getaddrinfo getnameinfo freeaddrinfo inet_ntop
/* Every answer of the C library to a question about names has its error. */

#include <arpa/inet.h>
#include <netdb.h>
#include <uv.h>

#include "guarded.h"

int __wrap_getaddrinfo(const char* host, const char* service, const struct addrinfo* hints,
                       struct addrinfo** found);
int __wrap_getnameinfo(const struct sockaddr* address, socklen_t size, char* host,
                       socklen_t host_size, char* service, socklen_t service_size, int flags);
const char* __wrap_inet_ntop(int family, const void* from, char* to, socklen_t size);

static int answer, answer_errno;
static const struct addrinfo* asked_hints;

int __wrap_getaddrinfo(const char* host, const char* service, const struct addrinfo* hints,
                       struct addrinfo** found) {
    (void)host, (void)service;
    asked_hints = hints;
    *found = (struct addrinfo*)1;
    errno = answer_errno;
    return answer;
}

int __wrap_getnameinfo(const struct sockaddr* address, socklen_t size, char* host,
                       socklen_t host_size, char* service, socklen_t service_size, int flags) {
    (void)address, (void)size, (void)host_size, (void)service_size, (void)flags;
    host[0] = service[0] = '\0';
    errno = answer_errno;
    return answer;
}

const char* __wrap_inet_ntop(int family, const void* from, char* to, socklen_t size) {
    (void)family, (void)from, (void)to, (void)size;
    errno = ENOSPC;
    return NULL;
}

TEST(answers_about_names_have_their_own_errors) {
    static const struct {
        int answer, errno_value, expected;
    } cases[] = {
        {EAI_ADDRFAMILY, 0, UV_EAI_ADDRFAMILY},
        {EAI_AGAIN, 0, UV_EAI_AGAIN},
        {EAI_BADFLAGS, 0, UV_EAI_BADFLAGS},
        {EAI_CANCELED, 0, UV_EAI_CANCELED},
        {EAI_FAIL, 0, UV_EAI_FAIL},
        {EAI_FAMILY, 0, UV_EAI_FAMILY},
        {EAI_MEMORY, 0, UV_EAI_MEMORY},
        {EAI_NODATA, 0, UV_EAI_NODATA},
        {EAI_NONAME, 0, UV_EAI_NONAME},
        {EAI_OVERFLOW, 0, UV_EAI_OVERFLOW},
        {EAI_SERVICE, 0, UV_EAI_SERVICE},
        {EAI_SOCKTYPE, 0, UV_EAI_SOCKTYPE},
        {EAI_SYSTEM, EMFILE, UV_EMFILE},
        {EAI_SYSTEM, 0, UV_EAI_FAIL},
        {12345, 0, UV_EAI_FAIL},
    };
    uv_loop_t loop;
    uv_getaddrinfo_t name;
    uv_getnameinfo_t address;
    struct sockaddr_in there;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 80, &there));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        answer = cases[i].answer;
        answer_errno = cases[i].errno_value;
        memset(&name, 1, sizeof(name));
        CHECK_EQ(uv_getaddrinfo(&loop, &name, NULL, "host", NULL, NULL), cases[i].expected);
        CHECK(name.addrinfo == NULL);
        CHECK_EQ(uv_getnameinfo(&loop, &address, NULL, (struct sockaddr*)&there, 0),
                 cases[i].expected);
    }
    CHECK_OK(uv_loop_close(&loop));
}

static void on_name(uv_getaddrinfo_t* req, int status, struct addrinfo* found) {
    (void)req, (void)status, (void)found;
}

TEST(a_question_has_no_addresses_before_the_answer) {
    uv_loop_t loop;
    uv_getaddrinfo_t name;
    memset(&name, 1, sizeof(name));
    answer = EAI_NONAME;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_getaddrinfo(&loop, &name, on_name, "host", NULL, NULL));
    CHECK(name.addrinfo == NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK(name.addrinfo == NULL);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(questions_need_a_request_and_something_to_ask_for) {
    uv_loop_t loop;
    uv_getnameinfo_t address;
    uv_getaddrinfo_t name;
    struct sockaddr_in there = {.sin_family = AF_INET};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_getaddrinfo(&loop, NULL, on_name, "host", NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getaddrinfo(&loop, &name, on_name, NULL, NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_getnameinfo(&loop, NULL, NULL, (struct sockaddr*)&there, 0), UV_EINVAL);
    CHECK_EQ(uv_getnameinfo(&loop, &address, NULL, NULL, 0), UV_EINVAL);
    CHECK_OK(uv_loop_close(&loop));
}

static struct addrinfo* freed;
static int frees;
void __wrap_freeaddrinfo(struct addrinfo* list);
void __wrap_freeaddrinfo(struct addrinfo* list) {
    freed = list;
    frees++;
}

TEST(lists_of_addresses_are_given_back_to_the_c_library) {
    struct addrinfo list = {0};
    uv_freeaddrinfo(NULL);
    CHECK_EQ(frees, 0);
    uv_freeaddrinfo(&list);
    CHECK(freed == &list);
    CHECK_EQ(frees, 1);
}

TEST(question_without_a_callback_keeps_no_memory) {
    uv_getaddrinfo_t name;
    struct addrinfo hints = {.ai_family = AF_INET};
    guard_memory();
    answer = EAI_NONAME;
    CHECK_EQ(uv_getaddrinfo(NULL, &name, NULL, "host", "service", &hints), UV_EAI_NONAME);
    CHECK_EQ(held, 0);
    CHECK(asked_hints != NULL);
    answer = 0;
    memset(&name, 'n', sizeof(name));
    CHECK_OK(uv_getaddrinfo(NULL, &name, NULL, "host", NULL, NULL));
    CHECK(asked_hints == NULL);
    CHECK(name.addrinfo == (struct addrinfo*)1);
    CHECK_EQ(held, 0);
}

/* Such addresses are written here, not by the C library, which fails in this test. */
TEST(addresses_of_an_older_one_and_nothing_else_are_written_as_such) {
    static const struct {
        unsigned char bytes[16];
        const char* text;
    } cases[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, "::1.2.3.4"},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4}, "::0.2.3.4"},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 4}, "::1.0.3.4"},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4}, NULL},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4}, NULL},
        {{6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, NULL},
    };
    char text[64];
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CHECK_EQ(uv_inet_ntop(AF_INET6, cases[i].bytes, text, sizeof(text)),
                 cases[i].text != NULL ? 0 : UV_ENOSPC);
        if (cases[i].text != NULL)
            CHECK_STR(text, cases[i].text);
    }
    CHECK_EQ(uv_inet_ntop(AF_INET, cases[0].bytes, text, sizeof(text)), UV_ENOSPC);
}

TEST(zone_that_is_too_far_behind_is_refused) {
    char text[80];
    struct in6_addr address;
    for (size_t length = 40; length < 60; length++) {
        memset(text, '1', length);
        strcpy(text + length, "%lo");
        CHECK_EQ(uv_inet_pton(AF_INET6, text, &address), UV_EINVAL);
    }
}

TEST(addresses_that_can_not_be_printed_are_an_error) {
    struct in_addr address = {0};
    char text[64];
    CHECK_EQ(uv_inet_ntop(AF_INET, &address, text, sizeof(text)), UV_ENOSPC);
    CHECK_EQ(uv_inet_ntop(12345, &address, text, sizeof(text)), UV_EAFNOSUPPORT);
}
