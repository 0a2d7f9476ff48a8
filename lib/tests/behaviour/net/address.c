/* Addresses as text and as bytes. */

#include <arpa/inet.h>
#include <net/if.h>
#include <uv.h>

#include "harness.h"

TEST(ip4_addr_reads_address_and_port) {
    struct sockaddr_in addr;
    char text[INET_ADDRSTRLEN];
    memset(&addr, 0xEE, sizeof(addr));
    CHECK_OK(uv_ip4_addr("255.1.20.0", 65535, &addr));
    CHECK_EQ(addr.sin_family, AF_INET);
    CHECK_EQ(ntohs(addr.sin_port), 65535);
    CHECK_EQ(ntohl(addr.sin_addr.s_addr), 0xFF011400);
    CHECK_EQ(addr.sin_zero[0], 0);
    CHECK_OK(uv_ip4_name(&addr, text, sizeof(text)));
    CHECK_STR(text, "255.1.20.0");
    CHECK_OK(uv_ip_name((struct sockaddr*)&addr, text, sizeof(text)));
    CHECK_STR(text, "255.1.20.0");
}

TEST(ip4_addr_of_what_is_no_address_reports_einval) {
    const char* const bad[] = {
        "",          "1",        "1.2.3",    "1.2.3.4.5",  "256.1.1.1",
        "1..2.3",    "1.2.3.4 ", " 1.2.3.4", "01.2.3.4",   "1.2.3.a",
        "0x1.2.3.4", "::1",      "1.2.3.-4", "1.2.3.4%lo", "1.2.3.1111111111111111111111"};
    struct sockaddr_in addr;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_EQ(uv_ip4_addr(bad[i], 80, &addr), UV_EINVAL);
}

static void check_ip6(const char* input, const char* output) {
    struct sockaddr_in6 addr;
    char text[INET6_ADDRSTRLEN];
    memset(&addr, 0xEE, sizeof(addr));
    CHECK_OK(uv_ip6_addr(input, 443, &addr));
    CHECK_EQ(addr.sin6_family, AF_INET6);
    CHECK_EQ(ntohs(addr.sin6_port), 443);
    CHECK_EQ(addr.sin6_flowinfo, 0);
    CHECK_EQ(addr.sin6_scope_id, 0);
    CHECK_OK(uv_ip6_name(&addr, text, sizeof(text)));
    CHECK_STR(text, output);
    CHECK_OK(uv_ip_name((struct sockaddr*)&addr, text, sizeof(text)));
    CHECK_STR(text, output);
    for (size_t small = 0; small <= strlen(output); small++)
        CHECK_EQ(uv_ip6_name(&addr, text, small), UV_ENOSPC);
    CHECK_OK(uv_ip6_name(&addr, text, strlen(output) + 1));
}

TEST(ip6_addr_reads_every_form_and_writes_the_shortest) {
    check_ip6("::", "::");
    check_ip6("::1", "::1");
    check_ip6("1::", "1::");
    check_ip6("FE80::ABCD", "fe80::abcd");
    check_ip6("0:0:0:0:0:0:0:0", "::");
    check_ip6("1:0:0:2:0:0:0:3", "1:0:0:2::3");
    check_ip6("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8");
    check_ip6("0001:0002:0003:0004:0005:0006:0007:0008", "1:2:3:4:5:6:7:8");
    check_ip6("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    check_ip6("::ffff:1.2.3.4", "::ffff:1.2.3.4");
    check_ip6("::1.2.3.4", "::1.2.3.4");
    check_ip6("64:ff9b::255.255.255.255", "64:ff9b::ffff:ffff");
    check_ip6("0000:0000:0000:0000:0000:ffff:255.255.255.255", "::ffff:255.255.255.255");
}

TEST(ip6_addr_of_what_is_no_address_reports_einval) {
    const char* const bad[] = {"",
                               ":",
                               ":::",
                               "1::2::3",
                               "1:2:3:4:5:6:7",
                               "1:2:3:4:5:6:7:8:9",
                               "1:2:3:4:5:6:7:8:",
                               "12345::",
                               "g::",
                               "::1 ",
                               "[::1]",
                               "1.2.3.4",
                               "::1.2.3",
                               "%lo",
                               "::ffff:1.2.3.256",
                               "fe80:0000:0000:0000:0000:0000:0000:0000000000000000000000000001",
                               "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0001%lo"};
    struct sockaddr_in6 addr;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_EQ(uv_ip6_addr(bad[i], 80, &addr), UV_EINVAL);
}

TEST(ip6_zone_is_the_number_of_its_interface) {
    char name[IF_NAMESIZE], text[128];
    struct sockaddr_in6 addr;
    if (if_indextoname(1, name) == NULL)
        test_skip("there is no first interface");
    snprintf(text, sizeof(text), "fe80::1%%%s", name);
    CHECK_OK(uv_ip6_addr(text, 80, &addr));
    CHECK_EQ(addr.sin6_scope_id, 1);
    CHECK_OK(uv_ip6_name(&addr, text, sizeof(text)));
    CHECK_STR(text, "fe80::1");
}

TEST(ip6_zone_that_is_no_interface_leaves_the_scope_at_zero) {
    const char* const zones[] = {"fe80::1%", "fe80::1%no-such-if", "fe80::1%1", "fe80::1%lo%lo",
                                 "fe80::1%a-name-that-is-much-longer-than-an-interface-may-have"};
    for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
        struct sockaddr_in6 addr;
        char text[INET6_ADDRSTRLEN];
        memset(&addr, 0xEE, sizeof(addr));
        CHECK_OK(uv_ip6_addr(zones[i], 80, &addr));
        CHECK_EQ(addr.sin6_scope_id, 0);
        CHECK_OK(uv_ip6_name(&addr, text, sizeof(text)));
        CHECK_STR(text, "fe80::1");
    }
}

TEST(inet_pton_skips_the_zone_and_writes_only_on_success) {
    unsigned char bytes[16];
    memset(bytes, 0xEE, sizeof(bytes));
    CHECK_EQ(uv_inet_pton(AF_INET6, "fe80::1::%lo", bytes), UV_EINVAL);
    CHECK_EQ(uv_inet_pton(AF_INET6, "1.2.3.4", bytes), UV_EINVAL);
    CHECK_EQ(uv_inet_pton(AF_INET, "1.2.3.400", bytes), UV_EINVAL);
    CHECK_EQ(bytes[0], 0xEE);
    CHECK_EQ(bytes[15], 0xEE);
    CHECK_OK(uv_inet_pton(AF_INET6, "fe80::1%lo", bytes));
    CHECK_EQ(bytes[0], 0xFE);
    CHECK_EQ(bytes[15], 1);
    CHECK_OK(uv_inet_pton(AF_INET, "9.8.7.6", bytes));
    CHECK_EQ(bytes[0], 9);
    CHECK_EQ(bytes[4], 0);
}

TEST(inet_functions_of_another_family_report_eafnosupport) {
    char bytes[16] = {0}, text[64];
    struct sockaddr other = {.sa_family = AF_UNIX};
    CHECK_EQ(uv_inet_pton(AF_UNIX, "1.2.3.4", bytes), UV_EAFNOSUPPORT);
    CHECK_EQ(uv_inet_ntop(AF_UNIX, bytes, text, sizeof(text)), UV_EAFNOSUPPORT);
    CHECK_EQ(uv_inet_ntop(-1, bytes, text, sizeof(text)), UV_EAFNOSUPPORT);
    CHECK_EQ(uv_ip_name(&other, text, sizeof(text)), UV_EAFNOSUPPORT);
    CHECK_EQ(uv_inet_pton(AF_INET, NULL, bytes), UV_EINVAL);
    CHECK_EQ(uv_inet_pton(AF_INET, "1.2.3.4", NULL), UV_EINVAL);
}

TEST(inet_ntop_into_each_too_small_buffer_reports_enospc) {
    char text[32];
    const unsigned char bytes[] = {255, 255, 255, 255};
    for (size_t small = 0; small <= 15; small++) {
        memset(text, 'x', sizeof(text));
        CHECK_EQ(uv_inet_ntop(AF_INET, bytes, text, small), UV_ENOSPC);
        CHECK_EQ(text[small], 'x');
    }
    CHECK_OK(uv_inet_ntop(AF_INET, bytes, text, 16));
    CHECK_STR(text, "255.255.255.255");
    CHECK_EQ(text[16], 'x');
}

TEST(interface_name_follows_the_size_protocol) {
    int (*const functions[])(unsigned int, char*, size_t*) = {uv_if_indextoname, uv_if_indextoiid};
    char expected[IF_NAMESIZE];
    if (if_indextoname(1, expected) == NULL)
        test_skip("there is no first interface");
    size_t length = strlen(expected);
    for (int i = 0; i < 2; i++) {
        char buffer[UV_IF_NAMESIZE];
        size_t size = sizeof(buffer), zero = 0;
        CHECK_OK(functions[i](1, buffer, &size));
        CHECK_EQ(size, length);
        CHECK_STR(buffer, expected);
        for (size_t small = 1; small <= length; small++) {
            size = small;
            CHECK_EQ(functions[i](1, buffer, &size), UV_ENOBUFS);
            CHECK_EQ(size, length + 1);
        }
        CHECK_OK(functions[i](1, buffer, &size));
        CHECK_EQ(functions[i](0, buffer, &size), UV_ENXIO);
        CHECK_EQ(functions[i](0x7FFFFFFF, buffer, &size), UV_ENXIO);
        CHECK_EQ(functions[i](1, buffer, &zero), UV_EINVAL);
        CHECK_EQ(functions[i](1, NULL, &size), UV_EINVAL);
        CHECK_EQ(functions[i](1, buffer, NULL), UV_EINVAL);
    }
}
