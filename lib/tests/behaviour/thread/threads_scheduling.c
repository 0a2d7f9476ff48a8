// threaded
/* Affinity and priority of threads. */

#include <sched.h>
#include <sys/resource.h>
#include <uv.h>

#include "harness.h"

static uv_sem_t ready, release;

static void start_waiting_thread(uv_thread_t* thread, uv_thread_cb entry, void* arg) {
    CHECK_OK(uv_sem_init(&ready, 0));
    CHECK_OK(uv_sem_init(&release, 0));
    CHECK_OK(uv_thread_create(thread, entry, arg));
    uv_sem_wait(&ready);
}

static void end_waiting_thread(uv_thread_t* thread) {
    uv_sem_post(&release);
    CHECK_OK(uv_thread_join(thread));
    uv_sem_destroy(&ready);
    uv_sem_destroy(&release);
}

static int count_set(const char* mask, int size) {
    int count = 0;
    for (int i = 0; i < size; i++)
        count += mask[i] != 0;
    return count;
}

TEST(affinity_of_this_thread_holds_the_cpu_that_it_runs_on) {
    int size = uv_cpumask_size();
    CHECK_GT(size, 0);
    char* mask = calloc((size_t)size, 1);
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_getaffinity(&self, mask, (size_t)size));
    CHECK_GE(count_set(mask, size), 1);
    int cpu = uv_thread_getcpu();
    CHECK_GE(cpu, 0);
    CHECK_EQ(mask[cpu], 1);
    free(mask);
}

TEST(affinity_pins_a_thread_and_gives_the_old_mask) {
    int size = uv_cpumask_size();
    char* before = calloc((size_t)size, 1);
    char* old = malloc((size_t)size + 8);
    char* mask = calloc((size_t)size, 1);
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_getaffinity(&self, before, (size_t)size));
    int cpu = uv_thread_getcpu();
    mask[cpu] = 7;
    memset(old, 'x', (size_t)size + 8);
    CHECK_OK(uv_thread_setaffinity(&self, mask, old, (size_t)size));
    CHECK(memcmp(old, before, (size_t)size) == 0);
    CHECK_EQ(old[size], 'x');
    CHECK_EQ(uv_thread_getcpu(), cpu);
    CHECK_EQ(uv_available_parallelism(), 1);
    CHECK_OK(uv_thread_setaffinity(&self, old, mask, (size_t)size));
    CHECK_EQ(count_set(mask, size), 1);
    CHECK_EQ(mask[cpu], 1);
    CHECK_OK(uv_thread_setaffinity(&self, before, NULL, (size_t)size));
    free(before);
    free(old);
    free(mask);
}

static void wait_for_release(void* arg) {
    (void)arg;
    uv_sem_post(&ready);
    uv_sem_wait(&release);
}

TEST(affinity_of_another_thread_is_its_own) {
    size_t size = (size_t)uv_cpumask_size();
    char* mask = calloc(size, 1);
    char* seen = calloc(size, 1);
    char* own = calloc(size, 1);
    uv_thread_t thread, self = uv_thread_self();
    CHECK_OK(uv_thread_getaffinity(&self, own, size));
    mask[uv_thread_getcpu()] = 1;
    start_waiting_thread(&thread, wait_for_release, NULL);
    CHECK_OK(uv_thread_setaffinity(&thread, mask, NULL, size));
    CHECK_OK(uv_thread_getaffinity(&thread, seen, size));
    CHECK(memcmp(seen, mask, size) == 0);
    CHECK_OK(uv_thread_getaffinity(&self, seen, size));
    CHECK(memcmp(seen, own, size) == 0);
    end_waiting_thread(&thread);
    free(mask);
    free(seen);
    free(own);
}

TEST(affinity_with_a_short_mask_reports_einval) {
    size_t size = (size_t)uv_cpumask_size();
    char* mask = calloc(size, 1);
    uv_thread_t self = uv_thread_self();
    CHECK_EQ(uv_thread_getaffinity(&self, mask, size - 1), UV_EINVAL);
    CHECK_EQ(uv_thread_setaffinity(&self, mask, NULL, size - 1), UV_EINVAL);
    CHECK_EQ(uv_thread_setaffinity(&self, mask, mask, 0), UV_EINVAL);
    free(mask);
}

TEST(affinity_with_no_cpu_reports_einval_and_changes_nothing) {
    size_t size = (size_t)uv_cpumask_size();
    char* mask = calloc(size, 1);
    char* before = calloc(size, 1);
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_getaffinity(&self, before, size));
    CHECK_EQ(uv_thread_setaffinity(&self, mask, NULL, size), UV_EINVAL);
    CHECK_OK(uv_thread_getaffinity(&self, mask, size));
    CHECK(memcmp(mask, before, size) == 0);
    free(mask);
    free(before);
}

TEST(priority_outside_the_five_levels_reports_einval) {
    CHECK_EQ(uv_thread_setpriority(uv_thread_self(), UV_THREAD_PRIORITY_HIGHEST + 1), UV_EINVAL);
    CHECK_EQ(uv_thread_setpriority(uv_thread_self(), UV_THREAD_PRIORITY_LOWEST - 1), UV_EINVAL);
    CHECK_EQ(uv_thread_getpriority(uv_thread_self(), NULL), UV_EINVAL);
}

TEST(priority_of_an_ordinary_thread_is_its_nice_value) {
    int priority = -99;
    CHECK_OK(uv_thread_getpriority(uv_thread_self(), &priority));
    CHECK_EQ(priority, getpriority(PRIO_PROCESS, 0));
    for (int level = UV_THREAD_PRIORITY_NORMAL; level >= UV_THREAD_PRIORITY_LOWEST; level--) {
        if (-2 * level < getpriority(PRIO_PROCESS, 0))
            continue;
        CHECK_OK(uv_thread_setpriority(uv_thread_self(), level));
        CHECK_OK(uv_thread_getpriority(uv_thread_self(), &priority));
        CHECK_EQ(priority, -2 * level);
    }
}

TEST(priority_above_normal_needs_privileges) {
    int priority, before;
    CHECK_OK(uv_thread_getpriority(uv_thread_self(), &before));
    for (int level = UV_THREAD_PRIORITY_NORMAL; level <= UV_THREAD_PRIORITY_HIGHEST; level++) {
        int err = uv_thread_setpriority(uv_thread_self(), level);
        CHECK(err == 0 || err == UV_EACCES || err == UV_EPERM);
        CHECK_OK(uv_thread_getpriority(uv_thread_self(), &priority));
        CHECK_EQ(priority, err == 0 ? -2 * level : before);
        if (err == 0)
            before = priority;
    }
}

static void report_priority(void* priority) {
    wait_for_release(NULL);
    CHECK_OK(uv_thread_getpriority(uv_thread_self(), priority));
}

TEST(priority_of_another_ordinary_thread_stays_as_it_is) {
    int seen = -99, own, before = getpriority(PRIO_PROCESS, 0);
    uv_thread_t thread;
    start_waiting_thread(&thread, report_priority, &seen);
    for (int level = UV_THREAD_PRIORITY_LOWEST; level <= UV_THREAD_PRIORITY_HIGHEST; level++)
        CHECK_OK(uv_thread_setpriority(thread, level));
    CHECK_OK(uv_thread_getpriority(thread, &own));
    CHECK_EQ(own, 0);
    end_waiting_thread(&thread);
    CHECK_EQ(seen, before);
    CHECK_EQ(getpriority(PRIO_PROCESS, 0), before);
}

TEST(priority_of_a_real_time_thread_spans_its_range) {
    struct sched_param param = {.sched_priority = 1};
    int priority, last = 0;
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) != 0)
        test_skip("real-time scheduling is not allowed");
    for (int level = UV_THREAD_PRIORITY_LOWEST; level <= UV_THREAD_PRIORITY_HIGHEST; level++) {
        CHECK_OK(uv_thread_setpriority(uv_thread_self(), level));
        CHECK_OK(uv_thread_getpriority(uv_thread_self(), &priority));
        CHECK_GT(priority, last);
        last = priority;
    }
    CHECK_EQ(last, sched_get_priority_max(SCHED_FIFO));
}
