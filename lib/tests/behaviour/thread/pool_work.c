// threaded
/* uv_queue_work and the threads behind it. */

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_sem_t gate, arrived;
static int ran, after, last_status;

static void open_loop(const char* threads) {
    if (threads != NULL)
        setenv("UV_THREADPOOL_SIZE", threads, 1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&arrived, 0));
}

static void close_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
    uv_sem_destroy(&arrived);
}

static void count_run(uv_work_t* req) {
    (void)req;
    __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
}

static void count_after(uv_work_t* req, int status) {
    (void)req;
    after++;
    last_status = status;
}

static void wait_at_gate(uv_work_t* req) {
    (void)req;
    uv_sem_post(&arrived);
    uv_sem_wait(&gate);
}

static int worker_threads(void) {
    DIR* dir = opendir("/proc/self/task");
    const struct dirent* entry;
    int count = 0;
    while ((entry = readdir(dir)) != NULL) {
        char path[300], name[32] = "";
        snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        FILE* file = fopen(path, "re");
        if (file == NULL)
            continue;
        if (fgets(name, sizeof(name), file) != NULL)
            count += strcmp(name, "libuv-worker\n") == 0;
        fclose(file);
    }
    closedir(dir);
    return count;
}

static pthread_t loop_thread, work_thread;

static void note_thread(uv_work_t* req) {
    CHECK_EQ((intptr_t)req->data, 42);
    work_thread = pthread_self();
}

static void check_threads(uv_work_t* req, int status) {
    CHECK_EQ(status, 0);
    CHECK_EQ((intptr_t)req->data, 42);
    CHECK(pthread_equal(pthread_self(), loop_thread));
    CHECK(!pthread_equal(work_thread, loop_thread));
    after++;
}

TEST(work_runs_on_another_thread_and_its_callback_on_the_loops) {
    uv_work_t req = {.data = (void*)42};
    open_loop(NULL);
    loop_thread = pthread_self();
    CHECK_OK(uv_queue_work(&loop, &req, note_thread, check_threads));
    CHECK_EQ(req.type, UV_WORK);
    CHECK_EQ(uv_loop_alive(&loop), 1);
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    close_loop();
    CHECK_EQ(after, 1);
}

enum { THREADS = 4, MOST_PIECES = 1000 };

static pthread_t reached[THREADS];
static int reached_count, pieces;

static void note_worker(uv_work_t* req) {
    (void)req;
    usleep(1000);
    for (int i = 0; i < reached_count; i++)
        if (pthread_equal(reached[i], pthread_self()))
            return;
    reached[reached_count++] = pthread_self();
}

static void submit_again(uv_work_t* req, int status) {
    CHECK_OK(status);
    if (reached_count < THREADS && ++pieces < MOST_PIECES)
        CHECK_OK(uv_queue_work(&loop, req, note_worker, submit_again));
}

TEST(work_of_one_piece_at_a_time_reaches_all_threads) {
    uv_work_t req;
    open_loop(NULL);
    CHECK_OK(uv_queue_work(&loop, &req, note_worker, submit_again));
    close_loop();
    CHECK_EQ(reached_count, THREADS);
}

TEST(work_without_a_function_gets_einval) {
    uv_work_t req;
    open_loop(NULL);
    CHECK_EQ(uv_queue_work(&loop, &req, NULL, count_after), UV_EINVAL);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    close_loop();
}

TEST(work_without_an_after_callback_runs) {
    uv_work_t req;
    open_loop(NULL);
    CHECK_OK(uv_queue_work(&loop, &req, count_run, NULL));
    close_loop();
    CHECK_EQ(ran, 1);
}

TEST(work_in_thousands_all_runs) {
    enum { COUNT = 20000 };
    uv_work_t* reqs = calloc(COUNT, sizeof(*reqs));
    open_loop(NULL);
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_queue_work(&loop, &reqs[i], count_run, count_after));
    close_loop();
    CHECK_EQ(ran, COUNT);
    CHECK_EQ(after, COUNT);
    free(reqs);
}

static int order[100], order_length;

static void note_order(uv_work_t* req) {
    order[order_length++] = (int)(intptr_t)req->data;
}

TEST(work_starts_in_the_order_in_which_it_was_queued) {
    uv_work_t reqs[100];
    open_loop("1");
    for (int i = 0; i < 100; i++) {
        reqs[i].data = (void*)(intptr_t)i;
        CHECK_OK(uv_queue_work(&loop, &reqs[i], note_order, count_after));
    }
    close_loop();
    for (int i = 0; i < 100; i++)
        CHECK_EQ(order[i], i);
}

/* Only as many as there are threads can be at the gate. */
static void check_size(const char* size, int threads) {
    enum { MOST = 64 };
    uv_work_t reqs[MOST];
    open_loop(size);
    for (int i = 0; i < threads * 2; i++)
        CHECK_OK(uv_queue_work(&loop, &reqs[i], wait_at_gate, count_after));
    for (int i = 0; i < threads; i++)
        uv_sem_wait(&arrived);
    usleep(20000);
    CHECK_EQ(uv_sem_trywait(&arrived), UV_EAGAIN);
    for (int i = 0; i < threads * 2; i++)
        uv_sem_post(&gate);
    close_loop();
    CHECK_EQ(after, threads * 2);
}

TEST(pool_has_four_threads) {
    check_size(NULL, 4);
}

TEST(pool_has_as_many_threads_as_the_environment_says) {
    check_size("7", 7);
}

TEST(pool_has_at_least_one_thread) {
    check_size("0", 1);
}

TEST(pool_with_an_unreadable_size_has_one_thread) {
    check_size("many", 1);
}

static sigset_t mask_of_thread;
static char thread_name[32];

static void look_at_thread(uv_work_t* req) {
    (void)req;
    pthread_sigmask(SIG_SETMASK, NULL, &mask_of_thread);
    pthread_getname_np(pthread_self(), thread_name, sizeof(thread_name));
}

TEST(pool_threads_have_a_name) {
    uv_work_t req;
    open_loop(NULL);
    CHECK_OK(uv_queue_work(&loop, &req, look_at_thread, count_after));
    close_loop();
    CHECK_STR(thread_name, "libuv-worker");
}

/* A profiler's signal reaches them; a program that wants none blocks it before the first use. */
TEST(pool_threads_have_the_signal_mask_of_the_thread_that_starts_them) {
    uv_work_t req;
    sigset_t mask;
    open_loop(NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    CHECK_OK(uv_queue_work(&loop, &req, look_at_thread, count_after));
    close_loop();
    CHECK_EQ(sigismember(&mask_of_thread, SIGUSR2), 1);
    CHECK_EQ(sigismember(&mask_of_thread, SIGPROF), 0);
    CHECK_EQ(sigismember(&mask_of_thread, SIGTERM), 0);
}

TEST(pool_starts_all_threads_on_first_use) {
    uv_work_t req;
    open_loop("6");
    CHECK_EQ(worker_threads(), 0);
    CHECK_OK(uv_queue_work(&loop, &req, count_run, count_after));
    while (worker_threads() < 6) /* they name themselves */
        usleep(1000);
    close_loop();
    CHECK_EQ(worker_threads(), 6);
}

static pthread_t seen[3];
static int seen_count;

static void note_new_thread(uv_work_t* req) {
    (void)req;
    for (int i = 0; i < seen_count; i++)
        if (pthread_equal(seen[i], pthread_self()))
            return;
    seen[seen_count++] = pthread_self();
}

/* One piece of work at a time: the loop's thread and the pool's take turns with `seen`. */
TEST(pool_threads_all_get_work_in_the_end) {
    uv_work_t req;
    open_loop("3");
    while (seen_count < 3) {
        CHECK_OK(uv_queue_work(&loop, &req, note_new_thread, count_after));
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    }
    close_loop();
}

static double cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// alone
TEST(pool_that_sleeps_uses_no_processor_time) {
    uv_work_t reqs[8];
    open_loop(NULL);
    for (int i = 0; i < 8; i++)
        CHECK_OK(uv_queue_work(&loop, &reqs[i], count_run, count_after));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    usleep(10000);
    double before = cpu_seconds();
    usleep(300000);
    CHECK_LT((cpu_seconds() - before) * 1000, 20);
    close_loop();
}

TEST(cancel_of_waiting_work_gives_ecanceled_before_a_thread_is_free) {
    uv_work_t busy, waiting;
    open_loop("1");
    CHECK_OK(uv_queue_work(&loop, &busy, wait_at_gate, count_after));
    uv_sem_wait(&arrived);
    CHECK_OK(uv_queue_work(&loop, &waiting, count_run, count_after));
    CHECK_EQ(uv_cancel((uv_req_t*)&busy), UV_EBUSY);
    CHECK_OK(uv_cancel((uv_req_t*)&waiting));
    CHECK_EQ(after, 0);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(after, 1);
    CHECK_EQ(last_status, UV_ECANCELED);
    CHECK_EQ(uv_cancel((uv_req_t*)&waiting), UV_EBUSY);
    uv_sem_post(&gate);
    close_loop();
    CHECK_EQ(ran, 0);
    CHECK_EQ(after, 2);
    CHECK_EQ(last_status, 0);
    CHECK_EQ(uv_cancel((uv_req_t*)&busy), UV_EBUSY);
}

static void free_after(uv_work_t* req, int status) {
    CHECK(status == 0 || status == UV_ECANCELED);
    after++;
    free(req);
}

TEST(cancel_of_cancelled_work_succeeds_again_and_its_callback_comes_once) {
    uv_work_t busy, waiting;
    open_loop("1");
    CHECK_OK(uv_queue_work(&loop, &busy, wait_at_gate, count_after));
    uv_sem_wait(&arrived);
    CHECK_OK(uv_queue_work(&loop, &waiting, count_run, count_after));
    CHECK_OK(uv_cancel((uv_req_t*)&waiting));
    CHECK_OK(uv_cancel((uv_req_t*)&waiting));
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_EQ(after, 1);
    CHECK_EQ(last_status, UV_ECANCELED);
    uv_sem_post(&gate);
    close_loop();
    CHECK_EQ(after, 2);
}

TEST(cancel_in_any_order_loses_nothing) {
    enum { COUNT = 2000 };
    uv_work_t busy;
    uv_work_t* reqs[COUNT];
    open_loop("1");
    CHECK_OK(uv_queue_work(&loop, &busy, wait_at_gate, count_after));
    uv_sem_wait(&arrived);
    for (int i = 0; i < COUNT; i++) {
        reqs[i] = malloc(sizeof(uv_work_t));
        CHECK_OK(uv_queue_work(&loop, reqs[i], count_run, free_after));
    }
    for (int i = 0; i < COUNT; i += 3)
        CHECK_OK(uv_cancel((uv_req_t*)reqs[i]));
    for (int i = COUNT - 1; i > 0; i--)
        if (i % 3 == 1)
            CHECK_OK(uv_cancel((uv_req_t*)reqs[i]));
    uv_sem_post(&gate);
    close_loop();
    CHECK_EQ(after, COUNT + 1);
    CHECK_EQ(ran, COUNT / 3);
}

/* The worker looks for the first piece just when the second is taken back. */
TEST(cancel_hides_no_work_from_a_thread_that_is_about_to_sleep) {
    enum { ROUNDS = 20000 };
    uv_work_t first, second;
    open_loop("1");
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_OK(uv_queue_work(&loop, &first, count_run, count_after));
        CHECK_OK(uv_queue_work(&loop, &second, count_run, count_after));
        uv_cancel((uv_req_t*)&second);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    }
    CHECK_EQ(after, 2 * ROUNDS);
    close_loop();
}

static void run_loop_of_its_own(void* arg) {
    uv_work_t reqs[50];
    int rounds = *(int*)arg;
    for (int r = 0; r < rounds; r++) {
        uv_loop_t* own = malloc(sizeof(*own));
        CHECK_OK(uv_loop_init(own));
        for (int i = 0; i < 50; i++)
            CHECK_OK(uv_queue_work(own, &reqs[i], count_run, NULL));
        for (int i = 0; i < 50; i += 5)
            uv_cancel((uv_req_t*)&reqs[i]);
        CHECK_OK(uv_run(own, UV_RUN_DEFAULT));
        CHECK_OK(uv_loop_close(own));
        memset(own, 0xee, sizeof(*own));
        free(own);
    }
}

TEST(pool_serves_several_loops_that_come_and_go) {
    uv_thread_t threads[4];
    int rounds = 50;
    for (int i = 0; i < 4; i++)
        CHECK_OK(uv_thread_create(&threads[i], run_loop_of_its_own, &rounds));
    for (int i = 0; i < 4; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    CHECK_GE(ran, 4 * 50 * 40);
}

static void queue_again(uv_work_t* req, int status) {
    CHECK_EQ(status, 0);
    if (++after < 1000)
        CHECK_OK(uv_queue_work(&loop, req, count_run, queue_again));
}

TEST(work_may_be_queued_again_from_its_callback) {
    uv_work_t req;
    open_loop(NULL);
    CHECK_OK(uv_queue_work(&loop, &req, count_run, queue_again));
    close_loop();
    CHECK_EQ(ran, 1000);
}

/* Each waits for the next one, so all must be running at the same time. */
static uv_barrier_t together;

static void meet(uv_work_t* req) {
    (void)req;
    uv_barrier_wait(&together);
}

TEST(pool_runs_as_many_at_once_as_it_has_threads) {
    uv_work_t reqs[4];
    for (int round = 0; round < 50; round++) {
        open_loop(NULL);
        CHECK_OK(uv_barrier_init(&together, 4));
        for (int i = 0; i < 4; i++)
            CHECK_OK(uv_queue_work(&loop, &reqs[i], meet, count_after));
        close_loop();
        uv_barrier_destroy(&together);
    }
    CHECK_EQ(after, 200);
}
