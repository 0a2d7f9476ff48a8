/* Host names from UTF-8 to ASCII. */

#include "net/idna.h"

#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"
#include "uv.h"

static char ascii[PH_HOST_NAME_SIZE];

static void check_name(const char* name, const char* expected) {
    CHECK_EQ(ph_idna_to_ascii(name, ascii, sizeof(ascii)), strlen(expected));
    CHECK_STR(ascii, expected);
}

static void check_error(const char* name, int error) {
    CHECK_EQ(ph_idna_to_ascii(name, ascii, sizeof(ascii)), error);
}

TEST(ascii_names_stay_as_they_are) {
    check_name("a", "a");
    check_name("example.com", "example.com");
    check_name("EXAMPLE.com.", "EXAMPLE.com.");
    check_name("xn--a", "xn--a");
    check_name(".", ".");
    check_name("a..b", "a..b");
    check_name("-> $1.00 <-", "-> $1.00 <-");
}

TEST(labels_with_other_characters_become_punycode) {
    check_name("b\u00fccher.de", "xn--bcher-kva.de");
    check_name("\u00fc", "xn--tda");
    check_name("\u00fc.\u00fc.\u00fc", "xn--tda.xn--tda.xn--tda");
    check_name("fa\u00df.de", "xn--fa-hia.de");
    check_name("-\u00fc", "xn----eha");
    check_name("\U0001F600.com", "xn--e28h.com");
    check_name("\U0010FFFF", "xn--dn32g");
}

TEST(characters_at_the_ends_of_utf8s_lengths_become_punycode) {
    check_name("\xC2\x80", "xn--a");
    check_name("\u07ff", "xn--3tb");
    check_name("\u0800", "xn--4tb");
    check_name("\u0939", "xn--22b");
    check_name("\uffff", "xn--1n7c");
    check_name("\U00010000", "xn--2n7c");
}

/* Where the way of counting turns: 455, and what lies between 455 and 481. */
TEST(characters_far_from_each_other_become_punycode) {
    check_name("\u00e9\u019fab\u01d1", "xn--ab-9ia24evh");
    check_name("\u1481\u04a0\u058e\u00a1", "xn--7a95roual15b");
}

/* RFC 3492, section 7.1. */
TEST(the_samples_of_the_rfc_come_out_right) {
    check_name("\u4ed6\u4eec\u4e3a\u4ec0\u4e48\u4e0d\u8bf4\u4e2d\u6587",
               "xn--ihqwcrb4cv8a8dqg056pqjye");
    check_name("Pro\u010dprost\u011bnemluv\u00ed\u010desky", "xn--Proprostnemluvesky-uyb24dma41a");
    check_name("3\u5e74B\u7d44\u91d1\u516b\u5148\u751f", "xn--3B-ww4c5e180e575a65lsy2b");
    check_name("\u5b89\u5ba4\u5948\u7f8e\u6075-with-SUPER-MONKEYS",
               "xn---with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n");
    check_name("Hello-Another-Way-\u305d\u308c\u305e\u308c\u306e\u5834\u6240",
               "xn--Hello-Another-Way--fc4qua05auwb3674vfr0b");
}

TEST(wide_full_stops_are_dots) {
    check_name("\u65e5\u672c\u8a9e\u3002jp", "xn--wgv71a119e.jp");
    check_name("\u65e5\u672c\u8a9e\uff0ejp", "xn--wgv71a119e.jp");
    check_name("\u65e5\u672c\u8a9e\uff61jp", "xn--wgv71a119e.jp");
    check_name("\u3002", ".");
    check_name("x\u3002", "x.");
}

TEST(empty_names_are_refused) {
    check_error("", UV_EINVAL);
}

TEST(names_that_are_not_utf8_are_refused) {
    static const char* const bad[] = {
        "\x80",
        "\xBF",
        "a\xFF",
        "\xC0\x80",
        "\xC1\xBF",
        "\xE0\x80\x80",
        "\xE0\x9F\xBF",
        "\xED\xA0\x80",
        "\xED\xBF\xBF",
        "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80",
        "\xF8\x88\x80\x80\x80",
        "\xC3\x28",
        "\xE2\x28\xA1",
        "\xE2\x82\x28",
        "\xF0\x28\x8C\xBC",
        "\xF0\x90\x8C\x28",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        check_error(bad[i], UV_EINVAL);
}

/* The name ends where a page that can't be read begins. */
TEST(cve_2021_22918_cut_sequences_are_not_read_beyond_their_end) {
    static const char* const cut[] = {"a\xC3",      "\xC3",        "\xE2",         "\xE2\x82",
                                      "\xF0",       "\xF0\x9F",    "\xF0\x9F\x98", "\xEF\xBC",
                                      "x.\xE3\x80", "\xC3\xBC\xF4"};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    CHECK_OK(mprotect(memory + page, page, PROT_NONE));
    for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
        char* name = memory + page - strlen(cut[i]) - 1;
        strcpy(name, cut[i]);
        check_error(name, UV_EINVAL);
    }
    munmap(memory, 2 * page);
}

TEST(cve_2024_24806_names_of_over_255_bytes_are_refused) {
    char name[4096];
    for (size_t length = 250; length < sizeof(name); length++) {
        memset(name, 'a', length);
        name[length] = '\0';
        memset(ascii, '#', sizeof(ascii));
        int result = ph_idna_to_ascii(name, ascii, sizeof(ascii));
        CHECK_EQ(result, length <= 255 ? (int)length : UV_EINVAL);
        if (length <= 255)
            CHECK_STR(ascii, name);
    }
}

TEST(names_that_grow_over_255_bytes_are_refused) {
    char name[1024];
    for (size_t length = 240; length < 256; length++) {
        memset(name, 'a', length);
        strcpy(name + length, ".\u00fc"); /* 8 bytes as ASCII */
        int result = ph_idna_to_ascii(name, ascii, sizeof(ascii));
        CHECK_EQ(result, length + 8 <= 255 ? (int)length + 8 : UV_EINVAL);
    }
}

TEST(the_result_never_passes_the_end_of_a_small_buffer) {
    static const char* const names[] = {"example.com", "b\u00fccher.de", "\u3002\u3002\u3002"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        int whole = ph_idna_to_ascii(names[i], ascii, sizeof(ascii));
        for (size_t size = 0; size <= (size_t)whole + 1; size++) {
            memset(ascii, '#', sizeof(ascii));
            int result = ph_idna_to_ascii(names[i], ascii, size);
            CHECK_EQ(result, size > (size_t)whole ? whole : UV_EINVAL);
            CHECK_EQ(ascii[size], '#');
        }
    }
}

TEST(the_longest_label_of_the_largest_characters_does_not_overflow) {
    char name[4 * 255 + 1];
    for (int i = 0; i < 255; i++)
        memcpy(name + 4 * i, i % 2 ? "\U0010FFFF" : "\U00010000", 4);
    name[sizeof(name) - 1] = '\0';
    check_error(name, UV_EINVAL);
    strcpy(name, "\U0010FFFF\u00a1\U0010FFFE\u00a2");
    CHECK_GT(ph_idna_to_ascii(name, ascii, sizeof(ascii)), 4);
}
