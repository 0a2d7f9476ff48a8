/* Stacks: sizes, reuse, overflow, memory that is given back. */
// wrap: mmap mprotect madvise sysconf
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "go_test.h"

void* __real_mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset);
int __real_mprotect(void* address, size_t size, int protection);
int __wrap_mprotect(void* address, size_t size, int protection);
int __real_madvise(void* address, size_t size, int advice);
int __wrap_madvise(void* address, size_t size, int advice);
long __real_sysconf(int name);
long __wrap_sysconf(int name);

enum { GUARD_INSTALL = 102 }; /* Linux 6.13's guards without mappings */
static enum { AS_IT_IS, REFUSED, IGNORED } light_guards;
static int refuse_mmap, refuse_mprotect, mmaps;
static size_t page = 4096;

/* As a kernel with larger pages does. */
static size_t whole_pages(size_t size) {
    return (size + page - 1) / page * page;
}

long __wrap_sysconf(int name) {
    return name == _SC_PAGESIZE ? (long)page : __real_sysconf(name);
}

void* __wrap_mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
    if ((flags & MAP_STACK) != 0 && refuse_mmap) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    mmaps += (flags & MAP_STACK) != 0;
    return __real_mmap(address, size, protection, flags, fd, offset);
}

int __wrap_mprotect(void* address, size_t size, int protection) {
    if (refuse_mprotect) {
        errno = ENOMEM;
        return -1;
    }
    return __real_mprotect(address, whole_pages(size), protection);
}

int __wrap_madvise(void* address, size_t size, int advice) {
    if (advice == GUARD_INSTALL && light_guards != AS_IT_IS) {
        errno = EINVAL;
        return light_guards == REFUSED ? -1 : 0;
    }
    return __real_madvise(address, whole_pages(size), advice);
}

/* Uses about a KB for each level. The sanitizer would stop it beside its own stack. */
static __attribute__((noinline, no_sanitize("address"))) int dig(int depth) {
    volatile char room[1024];
    for (size_t i = 0; i < sizeof(room); i++)
        room[i] = (char)(depth | 1);
    return depth > 0 ? dig(depth - 1) + room[1] : room[0];
}

static int dig_deep(void* arg) {
    dig(*(int*)arg);
    return go_sleep(1);
}

TEST(stack_is_as_large_as_asked_for) {
    int depth = 7000;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start_with(&loop, &(go_options_t){.stack = 64 << 20}, dig_deep, &depth, NULL));
    depth = 20;
    CHECK_OK(go_start(&loop, dig_deep, &depth));
    finish_loop();
}

TEST(stacks_have_room_beside_their_guard_where_pages_are_large) {
    int depth = 10;
    page = 65536;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(
        go_start_with(&loop, &(go_options_t){.stack = GO_STACK_SMALLEST}, dig_deep, &depth, NULL));
    CHECK_OK(go_start(&loop, dig_deep, &depth));
    finish_loop();
}

TEST(stack_larger_than_any_gets_enomem) {
    int depth = 1;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(go_start_with(&loop, &(go_options_t){.stack = SIZE_MAX}, dig_deep, &depth, NULL),
             UV_ENOMEM);
    finish_loop();
}

TEST(without_memory_for_stacks_start_gets_enomem) {
    int depth = 1;
    CHECK_OK(uv_loop_init(&loop));
    refuse_mmap = 1;
    CHECK_EQ(go_start(&loop, dig_deep, &depth), UV_ENOMEM);
    CHECK_EQ(go_count(&loop), 0);
    refuse_mmap = 0;
    CHECK_OK(go_start(&loop, dig_deep, &depth));
    finish_loop();
}

static void overflow(void) {
    int depth = 100000;
    CHECK_OK(uv_loop_init(&loop));
    go_start_with(&loop, &(go_options_t){.name = "deep"}, dig_deep, &depth, NULL);
}

static void overflow_without_guards(void) {
    /* Not so deep that the slab ends: what stands below is the neighbour's. */
    int depth = (int)(GO_STACK_DEFAULT / 1024) + 20;
    CHECK_OK(uv_loop_init(&loop));
    go_set_guards(0);
    go_start_with(&loop, &(go_options_t){.name = "other"}, dig_deep, &(int){1}, NULL);
    go_start_with(&loop, &(go_options_t){.name = "deep"}, dig_deep, &depth, NULL);
}

static void overflow_far_without_guards(void) {
    go_set_guards(0);
    overflow();
}

/* Frames of which only a byte is written, each time below what was looked at last. */
static go_suspends __attribute__((noinline)) int dig_thinly(int depth) {
    volatile char room[3000];
    room[0] = (char)depth;
    if (depth % 4 == 0)
        go_yield();
    return depth > 0 ? dig_thinly(depth - 1) + room[0] : 0;
}

static go_suspends int dig_deep_thinly(void* arg) {
    return dig_thinly(*(int*)arg);
}

static void overflow_thinly_without_guards(void) {
    int depth = (int)(GO_STACK_DEFAULT / 3000) + 10;
    CHECK_OK(uv_loop_init(&loop));
    go_set_guards(0);
    go_start_with(&loop, &(go_options_t){.name = "other"}, dig_deep, &(int){1}, NULL);
    go_start_with(&loop, &(go_options_t){.name = "deep"}, dig_deep_thinly, &depth, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    _exit(1); /* it was not noticed */
}

static void overflow_on_an_older_kernel(void) {
    light_guards = REFUSED;
    overflow();
}

/* As qemu's emulation of processes does. */
static void overflow_where_advice_is_ignored(void) {
    light_guards = IGNORED;
    overflow();
}

static void overflow_where_guards_are_refused(void) {
    light_guards = REFUSED;
    refuse_mprotect = 1;
    go_set_guards(10);
    int depth = (int)(GO_STACK_DEFAULT / 1024) + 20;
    CHECK_OK(uv_loop_init(&loop));
    go_start_with(&loop, &(go_options_t){.name = "other"}, dig_deep, &(int){1}, NULL);
    go_start_with(&loop, &(go_options_t){.name = "deep"}, dig_deep, &depth, NULL);
}

static const char overflow_text[] = "the stack of coroutine \"deep\"";

TEST(overflow_into_the_guard_page_is_told_with_the_name) {
    test_child_dies(overflow, SIGABRT, overflow_text);
}

TEST(overflow_is_told_where_a_guard_needs_a_mapping) {
    test_child_dies(overflow_on_an_older_kernel, SIGABRT, overflow_text);
}

TEST(overflow_is_told_where_every_advice_is_taken_and_none_followed) {
    test_child_dies(overflow_where_advice_is_ignored, SIGABRT, overflow_text);
}

TEST(overflow_without_a_guard_page_is_told_when_the_coroutine_stops) {
    test_child_dies(overflow_without_guards, SIGABRT, overflow_text);
}

TEST(overflow_without_a_guard_page_is_told_when_it_meets_other_memory) {
    test_child_dies(overflow_far_without_guards, SIGABRT, overflow_text);
}

TEST(overflow_that_leaves_no_trace_in_the_page_is_told) {
    test_child_dies(overflow_thinly_without_guards, SIGABRT, overflow_text);
}

TEST(overflow_is_told_where_the_kernel_refuses_guards) {
    test_child_dies(overflow_where_guards_are_refused, SIGABRT, overflow_text);
}

static void earlier_handler(int number) {
    (void)number;
    _exit(0);
}

static int touch_nothing(void* arg) {
    void* memory = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)arg;
    *(volatile int*)memory = 1;
    return 0;
}

static void fault_elsewhere(void) {
    signal(SIGSEGV, earlier_handler);
    CHECK_OK(uv_loop_init(&loop));
    go_start(&loop, touch_nothing, NULL);
    _exit(1);
}

static void fault_without_handler(void) {
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    CHECK_OK(uv_loop_init(&loop));
    go_start(&loop, touch_nothing, NULL);
    _exit(1);
}

TEST(other_faults_reach_the_earlier_handler) {
    test_child_dies(fault_elsewhere, 0, NULL);
}

TEST(other_faults_end_the_process_as_ever) {
    test_child_dies(fault_without_handler, SIGSEGV, NULL);
}

static long resident_kb(void) {
    long size = 0, resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL);
    CHECK_EQ(fscanf(file, "%ld %ld", &size, &resident), 2);
    fclose(file);
    return resident * 4;
}

static int start_diggers(void* arg) {
    for (int i = 0; i < 1000; i++)
        CHECK_OK(go_start(&loop, dig_deep, arg));
    return 0;
}

TEST(memory_of_stacks_is_given_back) {
    int depth = 40;
    long before;
    CHECK_OK(uv_loop_init(&loop));
    before = resident_kb();
    CHECK_OK(go_start(&loop, start_diggers, &depth));
    long during = resident_kb();
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    go_trim(&loop);
    CHECK_GT(during, before + 40000);
    CHECK_LT(resident_kb(), during - 20000);
    finish_loop();
}

static int wait_for_less(void* arg) {
    while (resident_kb() >= *(long*)arg)
        go_sleep(100);
    return 0;
}

TEST(memory_of_stacks_is_given_back_bit_by_bit) {
    int depth = 40;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start(&loop, start_diggers, &depth));
    long wanted = resident_kb() - 20000;
    CHECK_OK(go_start(&loop, wait_for_less, &wanted));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    finish_loop();
}

static int do_nothing(void* arg) {
    (void)arg;
    return 0;
}

TEST(stacks_are_used_again) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 100000; i++)
        CHECK_OK(go_start(&loop, do_nothing, NULL));
    CHECK_EQ(mmaps, 1);
    finish_loop();
}
