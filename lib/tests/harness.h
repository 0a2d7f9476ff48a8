#ifndef HARNESS_H
#define HARNESS_H

/*
 * TEST(name_that_is_a_sentence) { CHECK(...); }
 *
 * Each test runs in a process of its own, in an empty temporary folder that is removed afterwards,
 * and fails if it leaves more descriptors open than it found. The definition must start a line:
 * CMake finds it there.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#ifdef __SANITIZE_THREAD__
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#define THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define THREAD_SANITIZER 0
#endif

struct test_case {
    const char* name;
    void (*run)(void);
    struct test_case* next;
};

void test_register(struct test_case* test);
__attribute__((noreturn, format(printf, 3, 4))) void test_fail(const char* file, int line,
                                                               const char* format, ...);
__attribute__((noreturn)) void test_skip(const char* reason);
/* What main got. */
extern int test_argc;
extern char** test_argv;
/* How many descriptors this process has open. */
int test_open_fds(void);
/* What the next call finds on its stack is not 0. */
void test_dirty_stack(void);
/* Lets this process open `count` descriptors, or skips the test where that is not allowed. */
void test_need_fds(unsigned count);
/* Waits for a child that the test has made; 0: it ended well. */
int test_child_status(pid_t child);
/* Runs `fn` in a child, which must die by `signal` (0: exit with 0), having printed `text` (NULL:
 * any) on standard error. */
void test_child_dies(void (*fn)(void), int signal, const char* text);

#define TEST(sentence)                                                     \
    static void test_##sentence(void);                                     \
    __attribute__((constructor)) static void register_##sentence(void) {   \
        static struct test_case test = {#sentence, test_##sentence, NULL}; \
        test_register(&test);                                              \
    }                                                                      \
    static void test_##sentence(void)

#define CHECK(condition)                                     \
    do {                                                     \
        if (!(condition))                                    \
            test_fail(__FILE__, __LINE__, "%s", #condition); \
    } while (0)

#define CHECK_OP(a, op, b)                                                                     \
    do {                                                                                       \
        long long check_a = (long long)(a), check_b = (long long)(b);                          \
        if (!(check_a op check_b))                                                             \
            test_fail(__FILE__, __LINE__, "%s %s %s: %lld against %lld", #a, #op, #b, check_a, \
                      check_b);                                                                \
    } while (0)

#define CHECK_EQ(a, b) CHECK_OP(a, ==, b)
#define CHECK_NE(a, b) CHECK_OP(a, !=, b)
#define CHECK_LT(a, b) CHECK_OP(a, <, b)
#define CHECK_LE(a, b) CHECK_OP(a, <=, b)
#define CHECK_GT(a, b) CHECK_OP(a, >, b)
#define CHECK_GE(a, b) CHECK_OP(a, >=, b)
#define CHECK_OK(call) CHECK_EQ(call, 0)

#define CHECK_STR(a, b)                                                                      \
    do {                                                                                     \
        const char *check_a = (a), *check_b = (b);                                           \
        if (strcmp(check_a, check_b) != 0)                                                   \
            test_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #a, check_a, check_b); \
    } while (0)

#endif
