// threaded
/* Pools of the program's own, as phasor.h describes them. */

#include <fcntl.h>
#include <phasor.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { MANY = 64 };

static uv_loop_t loop;
static uv_sem_t gate, entered;
static int ran[MANY], ran_count, ended, cancelled;
static uv_mutex_t lock;

struct item {
    uv_work_t req;
    int number;
};
static struct item items[MANY];

static void open_all(phasor_pool_t** pool, unsigned least, unsigned most) {
    const struct phasor_pool_options options = {
        .name = "test", .threads_least = least, .threads_most = most, .idle_ms = 20};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&entered, 0));
    CHECK_OK(uv_mutex_init(&lock));
    CHECK_OK(phasor_pool_new(pool, &options));
}

static void close_all(phasor_pool_t* pool) {
    CHECK_OK(phasor_pool_free(pool));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
    uv_sem_destroy(&entered);
    uv_mutex_destroy(&lock);
}

static void note(uv_work_t* req) {
    uv_mutex_lock(&lock);
    ran[ran_count++] = ((struct item*)req)->number;
    uv_mutex_unlock(&lock);
}

static void block(uv_work_t* req) {
    (void)req;
    uv_sem_post(&entered);
    uv_sem_wait(&gate);
}

static void on_end(uv_work_t* req, int status) {
    (void)req;
    CHECK(status == 0 || status == UV_ECANCELED);
    ended++;
    cancelled += status == UV_ECANCELED;
}

static void queue(phasor_pool_t* pool, int number, unsigned priority, uv_work_cb cb) {
    items[number].number = number;
    CHECK_OK(phasor_pool_queue(pool, &loop, &items[number].req, priority, cb, on_end));
}

TEST(work_runs_on_the_pool_and_ends_on_the_loop) {
    phasor_pool_t* pool;
    open_all(&pool, 2, 0);
    for (int i = 0; i < MANY; i++)
        queue(pool, i, 0, note);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, MANY);
    CHECK_EQ(ran_count, MANY);
    struct phasor_pool_figures figures;
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.done, MANY);
    CHECK_LE(figures.threads, 2);
    CHECK_EQ(figures.queued, 0);
    CHECK_EQ(figures.running, 0);
    CHECK_GE(figures.queued_most, 1);
    close_all(pool);
}

TEST(what_has_the_first_priority_comes_first_and_equals_keep_their_order) {
    phasor_pool_t* pool;
    open_all(&pool, 1, 1);
    queue(pool, 0, 7, block);
    uv_sem_wait(&entered);
    for (int i = 1; i <= 9; i++)
        queue(pool, i, (unsigned)(2 - (i - 1) / 3), note); /* 1-3: 2, 4-6: 1, 7-9: 0 */
    struct phasor_pool_figures figures;
    uv_sleep(1);
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.queued, 9);
    CHECK_EQ(figures.running, 1);
    CHECK_GT(figures.oldest_ns, 0);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    const int expected[] = {7, 8, 9, 4, 5, 6, 1, 2, 3};
    for (int i = 0; i < 9; i++)
        CHECK_EQ(ran[i], expected[i]);
    phasor_pool_look(pool, &figures);
    CHECK_GT(figures.waited_ns, 0);
    CHECK_GE(figures.waited_ns, figures.waited_most_ns);
    CHECK_GT(figures.ran_ns, 0);
    close_all(pool);
}

TEST(a_pool_that_adapts_starts_threads_for_what_waits_and_ends_idle_ones) {
    phasor_pool_t* pool;
    struct phasor_pool_figures figures;
    open_all(&pool, 1, 8);
    for (int i = 0; i < 8; i++)
        queue(pool, i, 0, block);
    for (int i = 0; i < 8; i++)
        uv_sem_wait(&entered); /* all at the same time */
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.threads, 8);
    CHECK_EQ(figures.running, 8);
    queue(pool, 8, 0, note);
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.threads, 8);
    for (int i = 0; i < 8; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 9);
    do {
        uv_sleep(5);
        phasor_pool_look(pool, &figures);
    } while (figures.threads > 1);
    CHECK_EQ(figures.threads_started, 8);
    CHECK_EQ(figures.threads_ended, 7);
    queue(pool, 0, 0, note);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 10);
    close_all(pool);
}

TEST(a_pool_may_end_its_last_thread_and_start_one_again) {
    phasor_pool_t* pool;
    struct phasor_pool_figures figures;
    open_all(&pool, 0, 2);
    for (int i = 0; i < 3; i++) {
        queue(pool, 0, 0, note);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        do {
            uv_sleep(5);
            phasor_pool_look(pool, &figures);
        } while (figures.threads > 0);
    }
    CHECK_EQ(ran_count, 3);
    close_all(pool);
}

TEST(work_that_has_not_begun_can_be_cancelled) {
    phasor_pool_t* pool;
    open_all(&pool, 1, 1);
    queue(pool, 0, 0, block);
    uv_sem_wait(&entered);
    queue(pool, 1, 0, note);
    queue(pool, 2, 0, note);
    CHECK_EQ(uv_cancel((uv_req_t*)&items[0].req), UV_EBUSY);
    CHECK_OK(uv_cancel((uv_req_t*)&items[1].req));
    CHECK_OK(uv_cancel((uv_req_t*)&items[1].req));
    CHECK_EQ(ended, 0);
    while (ended == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(cancelled, 1);
    CHECK_EQ(uv_cancel((uv_req_t*)&items[1].req), UV_EBUSY);
    uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 3);
    CHECK_EQ(cancelled, 1);
    CHECK_EQ(ran_count, 1);
    close_all(pool);
}

static void open_gate(void* arg) {
    (void)arg;
    uv_sleep(20);
    uv_sem_post(&gate);
}

TEST(freeing_a_pool_waits_for_what_runs_and_cancels_what_waits) {
    phasor_pool_t* pool;
    uv_thread_t helper;
    open_all(&pool, 1, 1);
    queue(pool, 0, 0, block);
    uv_sem_wait(&entered);
    queue(pool, 1, 0, note);
    queue(pool, 2, 3, note);
    CHECK_OK(uv_thread_create(&helper, open_gate, NULL));
    close_all(pool);
    CHECK_OK(uv_thread_join(&helper));
    CHECK_EQ(ended, 3);
    CHECK_EQ(cancelled, 2);
    CHECK_EQ(ran_count, 0);
}

static phasor_pool_t* own;
static int free_result;

static void free_own(uv_work_t* req) {
    (void)req;
    free_result = phasor_pool_free(own);
}

TEST(a_pool_can_not_be_freed_by_its_own_thread) {
    open_all(&own, 1, 1);
    queue(own, 0, 0, free_own);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(free_result, UV_EINVAL);
    close_all(own);
}

TEST(options_that_make_no_sense_are_refused) {
    phasor_pool_t* pool;
    const struct phasor_pool_options bad[] = {{.threads_least = 0, .threads_most = 0},
                                              {.threads_least = 5, .threads_most = 4},
                                              {.threads_least = 1, .threads_most = 1025},
                                              {.threads_least = 1, .thread_priority = 3},
                                              {.threads_least = 1, .thread_priority = -3}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_EQ(phasor_pool_new(&pool, &bad[i]), UV_EINVAL);
    CHECK_EQ(phasor_pool_new(&pool, NULL), UV_EINVAL);
    open_all(&pool, 1, 1);
    CHECK_EQ(phasor_pool_queue(pool, &loop, &items[0].req, PHASOR_PRIORITIES, note, on_end),
             UV_EINVAL);
    CHECK_EQ(phasor_pool_queue(pool, &loop, &items[0].req, 0, NULL, on_end), UV_EINVAL);
    CHECK_EQ(phasor_pool_queue(NULL, &loop, &items[0].req, 0, note, on_end), UV_EINVAL);
    CHECK_EQ(phasor_loop_use_pool(&loop, pool, PHASOR_PRIORITIES), UV_EINVAL);
    CHECK(!uv_loop_alive(&loop));
    close_all(pool);
}

static void on_open(uv_fs_t* req) {
    CHECK_GE(req->result, 0);
    close((int)req->result);
    uv_fs_req_cleanup(req);
    ended++;
}

static void on_name(uv_getaddrinfo_t* req, int status, struct addrinfo* found) {
    (void)req;
    CHECK_EQ(status, 0);
    uv_freeaddrinfo(found);
    ended++;
}

TEST(a_loop_can_give_all_its_work_to_a_pool_of_its_own) {
    phasor_pool_t* pool;
    uv_fs_t fs;
    uv_getaddrinfo_t names[4];
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    struct phasor_pool_figures figures;
    open_all(&pool, 1, 2);
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 1));
    CHECK_EQ(phasor_pool_free(pool), UV_EBUSY);
    CHECK_OK(uv_queue_work(&loop, &items[0].req, note, on_end));
    CHECK_OK(uv_fs_open(&loop, &fs, "/dev/null", O_RDONLY, 0, on_open));
    for (int i = 0; i < 4; i++)
        CHECK_OK(uv_getaddrinfo(&loop, &names[i], on_name, "127.0.0.1", NULL, &hints));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 6);
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.done, 6);
    phasor_pool_look(NULL, &figures);
    CHECK_EQ(figures.threads, 0); /* the process's was never needed */
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    CHECK_OK(uv_queue_work(&loop, &items[0].req, note, on_end));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    phasor_pool_look(NULL, &figures);
    CHECK_EQ(figures.done, 1);
    CHECK_GT(figures.threads, 0);
    close_all(pool);
}

TEST(the_figures_of_the_process_pool_count_what_waits_and_runs) {
    phasor_pool_t* pool;
    struct phasor_pool_figures figures;
    open_all(&pool, 1, 1);
    for (int i = 0; i < 6; i++)
        CHECK_OK(uv_queue_work(&loop, &items[i].req, block, on_end));
    for (int i = 0; i < 4; i++)
        uv_sem_wait(&entered);
    phasor_pool_look(NULL, &figures);
    CHECK_EQ(figures.threads, 4);
    CHECK_EQ(figures.running, 4);
    CHECK_EQ(figures.idle, 0);
    CHECK_EQ(figures.queued, 2);
    for (int i = 0; i < 6; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    phasor_pool_look(NULL, &figures);
    CHECK_EQ(figures.done, 6);
    CHECK_EQ(figures.queued, 0);
    close_all(pool);
}

TEST(a_child_after_a_fork_has_the_pool_without_its_threads) {
    phasor_pool_t* pool;
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer has no threads after a fork");
    open_all(&pool, 1, 1);
    queue(pool, 0, 0, note);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    pid_t child = fork();
    if (child == 0) {
        struct phasor_pool_figures figures;
        phasor_pool_look(pool, &figures);
        CHECK_EQ(figures.threads, 0);
        CHECK_OK(uv_loop_fork(&loop));
        queue(pool, 1, 0, note);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_EQ(ended, 2);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    close_all(pool);
}

static char name[32];

static void get_name(uv_work_t* req) {
    uv_thread_t self = uv_thread_self();
    (void)req;
    CHECK_OK(uv_thread_getname(&self, name, sizeof(name)));
}

TEST(threads_have_the_name_of_their_pool) {
    phasor_pool_t* pool;
    open_all(&pool, 1, 1);
    queue(pool, 0, 0, get_name);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(name, "test");
    close_all(pool);
}

static void check_name(const char* given, const char* found) {
    phasor_pool_t* pool;
    const struct phasor_pool_options options = {.name = given, .threads_most = 1};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_pool_new(&pool, &options));
    queue(pool, 0, 0, get_name);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(name, found);
    CHECK_OK(phasor_pool_free(pool));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(names_of_threads_are_cut_at_15_letters) {
    check_name(NULL, "phasor-pool");
    check_name("fifteen-letters", "fifteen-letters");
    check_name("sixteen--letters", "sixteen--letter");
}

static int priority;

static void get_priority(uv_work_t* req) {
    (void)req;
    CHECK_OK(uv_thread_getpriority(uv_thread_self(), &priority));
}

TEST(threads_may_have_a_low_priority) {
    phasor_pool_t* pool;
    const struct phasor_pool_options options = {.threads_least = 1,
                                                .thread_priority = UV_THREAD_PRIORITY_LOWEST};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_pool_new(&pool, &options));
    queue(pool, 0, 0, get_priority);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_GE(priority, 4); /* the nice value */
    CHECK_OK(phasor_pool_free(pool));
    CHECK_OK(uv_loop_close(&loop));
}
