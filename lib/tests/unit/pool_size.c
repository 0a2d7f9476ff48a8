/* What UV_THREADPOOL_SIZE means: the numbers of threads are those of libuv 1.53. */

#include <stdlib.h>

#include "harness.h"
#include "thread/pool_parts.h"

static unsigned size_for(const char* value) {
    setenv("UV_THREADPOOL_SIZE", value, 1);
    return ph_pool_size();
}

TEST(pool_size_is_four_unless_said_otherwise) {
    unsetenv("UV_THREADPOOL_SIZE");
    CHECK_EQ(ph_pool_size(), 4);
}

TEST(pool_size_is_the_number_between_1_and_1024) {
    CHECK_EQ(size_for("1"), 1);
    CHECK_EQ(size_for("7"), 7);
    CHECK_EQ(size_for("12"), 12);
    CHECK_EQ(size_for("1024"), 1024);
    CHECK_EQ(size_for("1025"), 1024);
    CHECK_EQ(size_for("0"), 1);
}

TEST(pool_size_that_is_negative_is_the_largest) {
    CHECK_EQ(size_for("-1"), 1024);
    CHECK_EQ(size_for("-3"), 1024);
}

TEST(pool_size_that_is_not_a_number_is_one) {
    CHECK_EQ(size_for(""), 1);
    CHECK_EQ(size_for("many"), 1);
}

TEST(pool_size_of_more_than_15_characters_is_not_looked_at) {
    CHECK_EQ(size_for("000000000000002"), 2);
    CHECK_EQ(size_for("0000000000000002"), 4);
}
