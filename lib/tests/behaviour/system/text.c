/* UTF-16 to WTF-8 and back. */

#include <uv.h>

#include "harness.h"

#define UNITS(...)       \
    (const uint16_t[]) { \
        __VA_ARGS__, 0   \
    }

/* Both directions, from a unit string that ends with 0 and the bytes it must become. */
static void check_pair(const uint16_t* units, const char* bytes) {
    size_t count = 0, size = strlen(bytes);
    while (units[count] != 0)
        count++;
    CHECK_EQ(uv_utf16_length_as_wtf8(units, -1), size);
    CHECK_EQ(uv_utf16_length_as_wtf8(units, (ssize_t)count), size);

    char* target = NULL;
    size_t length = 99;
    CHECK_OK(uv_utf16_to_wtf8(units, -1, &target, &length));
    CHECK_EQ(length, size);
    CHECK_STR(target, bytes);
    free(target);

    CHECK_EQ(uv_wtf8_length_as_utf16(bytes), count + 1);
    uint16_t* back = malloc((count + 1) * sizeof(*back));
    uv_wtf8_to_utf16(bytes, back, count + 1);
    CHECK(memcmp(back, units, (count + 1) * sizeof(*back)) == 0);
    free(back);
}

TEST(text_at_every_boundary_of_the_encoding_survives_both_ways) {
    check_pair(UNITS(0x01), "\x01");
    check_pair(UNITS(0x7F), "\x7F");
    check_pair(UNITS(0x80), "\xC2\x80");
    check_pair(UNITS(0x7FF), "\xDF\xBF");
    check_pair(UNITS(0x800), "\xE0\xA0\x80");
    check_pair(UNITS(0xFFF), "\xE0\xBF\xBF");
    check_pair(UNITS(0x1000), "\xE1\x80\x80");
    check_pair(UNITS(0xD7FF), "\xED\x9F\xBF");
    check_pair(UNITS(0xE000), "\xEE\x80\x80");
    check_pair(UNITS(0xFFFF), "\xEF\xBF\xBF");
    check_pair(UNITS(0xD800, 0xDC00), "\xF0\x90\x80\x80");
    check_pair(UNITS(0xD8BF, 0xDFFF), "\xF0\xBF\xBF\xBF");
    check_pair(UNITS(0xD8C0, 0xDC00), "\xF1\x80\x80\x80");
    check_pair(UNITS(0xDBFF, 0xDFFF), "\xF4\x8F\xBF\xBF");
    check_pair((const uint16_t[]){0}, "");
}

TEST(lone_surrogates_survive_both_ways) {
    check_pair(UNITS(0xD800), "\xED\xA0\x80");
    check_pair(UNITS(0xDBFF), "\xED\xAF\xBF");
    check_pair(UNITS(0xDC00), "\xED\xB0\x80");
    check_pair(UNITS(0xDFFF), "\xED\xBF\xBF");
    check_pair(UNITS('a', 0xD800, 'b'), "a\xED\xA0\x80"
                                        "b");
    check_pair(UNITS(0xDC00, 0xD800), "\xED\xB0\x80\xED\xA0\x80");
    check_pair(UNITS('a', 0xDC00), "a\xED\xB0\x80");
    check_pair(UNITS(0xD7FF, 0xDC00), "\xED\x9F\xBF\xED\xB0\x80");
    check_pair(UNITS(0xE000, 0xDC00), "\xEE\x80\x80\xED\xB0\x80");
    check_pair(UNITS(0xD800, 0xD800, 0xDC00), "\xED\xA0\x80\xF0\x90\x80\x80");
    check_pair(UNITS(0xD83D, 0xDE00, 0xDE00), "\xF0\x9F\x98\x80\xED\xB8\x80");
}

TEST(every_unit_of_utf16_survives_both_ways) {
    for (unsigned int unit = 1; unit <= 0xFFFF; unit++) {
        uint16_t units[] = {(uint16_t)unit, 0}, back[2] = {1, 1};
        char buffer[4], *target = buffer;
        size_t length = 3;
        CHECK_OK(uv_utf16_to_wtf8(units, -1, &target, &length));
        CHECK_EQ(length, unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3);
        CHECK_EQ(uv_wtf8_length_as_utf16(buffer), 2);
        uv_wtf8_to_utf16(buffer, back, 2);
        CHECK_EQ(back[0], unit);
        CHECK_EQ(back[1], 0);
    }
}

TEST(surrogate_pair_cut_by_the_length_is_a_lone_surrogate) {
    const uint16_t units[] = {0xD83D, 0xDE00};
    char* target = NULL;
    size_t length;
    CHECK_EQ(uv_utf16_length_as_wtf8(units, 1), 3);
    CHECK_EQ(uv_utf16_length_as_wtf8(units, 2), 4);
    CHECK_OK(uv_utf16_to_wtf8(units, 1, &target, &length));
    CHECK_STR(target, "\xED\xA0\xBD");
    free(target);
}

TEST(explicit_length_may_hold_nuls) {
    const uint16_t units[] = {'a', 0, 'b'};
    char* target = NULL;
    size_t length;
    CHECK_EQ(uv_utf16_length_as_wtf8(units, 3), 3);
    CHECK_EQ(uv_utf16_length_as_wtf8(units, 0), 0);
    CHECK_EQ(uv_utf16_length_as_wtf8(units, -1), 1);
    CHECK_OK(uv_utf16_to_wtf8(units, 3, &target, &length));
    CHECK_EQ(length, 3);
    CHECK(memcmp(target, "a\0b", 4) == 0);
    free(target);
}

TEST(conversion_without_a_target_tells_the_length) {
    size_t length = 0;
    CHECK_OK(uv_utf16_to_wtf8(UNITS('a', 0xE9), -1, NULL, &length));
    CHECK_EQ(length, 3);
    CHECK_OK(uv_utf16_to_wtf8(UNITS('a', 0xE9), -1, NULL, NULL));
}

TEST(conversion_into_a_callers_buffer_needs_one_byte_more_for_the_nul) {
    char buffer[8], *target = buffer;
    size_t length = 5;
    memset(buffer, 'x', sizeof(buffer));
    CHECK_OK(uv_utf16_to_wtf8(UNITS('a', 0xD83D, 0xDE00), -1, &target, &length));
    CHECK_EQ(length, 5);
    CHECK_STR(buffer, "a\xF0\x9F\x98\x80");
    CHECK_EQ(buffer[6], 'x');
}

TEST(conversion_into_each_too_small_buffer_tells_the_length) {
    const uint16_t* units = UNITS('a', 0xE9, 0x20AC, 0xD83D, 0xDE00);
    const char* whole = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    const size_t fits[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6};
    for (size_t small = 0; small < 10; small++) {
        char* buffer = malloc(small + 1);
        size_t length = small;
        CHECK_EQ(uv_utf16_to_wtf8(units, -1, &buffer, &length), UV_ENOBUFS);
        CHECK_EQ(length, 10);
        CHECK_EQ(strlen(buffer), fits[small]);
        CHECK(memcmp(buffer, whole, fits[small]) == 0);
        free(buffer);
    }
}

TEST(bytes_that_are_not_wtf8_are_refused) {
    const char* const bad[] = {
        "\x80",     /* a continuation byte first */
        "\xBF",     /* the same, the last one */
        "\xC0\x80", /* longer than needed */
        "\xC1\xBF", /* longer than needed */
        "\xC2",     /* cut short */
        "\xC2"
        "a",            /* continued by something else */
        "\xC2\xC2",     /* continued by a first byte */
        "\xE0\x80\x80", /* longer than needed */
        "\xE0\x9F\xBF", /* longer than needed */
        "\xE1\x80",     /* cut short */
        "\xE1\x80"
        "a",                /* continued by something else */
        "\xF0\x80\x80\x80", /* longer than needed */
        "\xF0\x8F\xBF\xBF", /* longer than needed */
        "\xF0\x90\x80",     /* cut short */
        "\xF4\x90\x80\x80", /* beyond U+10FFFF */
        "\xF5\x80\x80\x80", /* beyond U+10FFFF */
        "\xB0\x90\x80\x80", /* a continuation byte first, and three more */
        "\xF8\x90\x80\x80", /* no first byte, and three that continue one */
        "\xF8\x88\x80\x80\x80",
        "\xFE",
        "\xFF",
        "good then \xFF",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        /* On the heap, so that a sanitizer sees a read past the end. */
        char* copy = strdup(bad[i]);
        CHECK_EQ(uv_wtf8_length_as_utf16(copy), UV_EINVAL);
        free(copy);
    }
}

TEST(surrogates_given_as_two_sequences_become_two_units) {
    uint16_t units[3];
    CHECK_EQ(uv_wtf8_length_as_utf16("\xED\xA0\xBD\xED\xB8\x80"), 3);
    uv_wtf8_to_utf16("\xED\xA0\xBD\xED\xB8\x80", units, 3);
    CHECK_EQ(units[0], 0xD83D);
    CHECK_EQ(units[1], 0xDE00);
    CHECK_EQ(units[2], 0);
}
