/* What the library says about itself to whoever has put a table of hooks there. */

#include <phasor.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "core/handle.h"
#include "harness.h"
#include "recording.h"

enum { ROOM = 4096 };

/* What the loop's thread was told, and what the others were. */
static char story[ROOM], elsewhere[ROOM];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t loop_thread;
static uv_loop_t loop;

__attribute__((format(printf, 1, 2))) static void say(const char* format, ...) {
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&lock);
    char* text = pthread_equal(loop_thread, pthread_self()) ? story : elsewhere;
    size_t length = strlen(text);
    vsnprintf(text + length, ROOM - length, format, args);
    pthread_mutex_unlock(&lock);
    va_end(args);
}

static void check_story(char* text, const char* expected) {
    pthread_mutex_lock(&lock);
    CHECK_STR(text, expected);
    text[0] = '\0';
    pthread_mutex_unlock(&lock);
}

static void forget_story(void) {
    pthread_mutex_lock(&lock);
    story[0] = elsewhere[0] = '\0';
    pthread_mutex_unlock(&lock);
}

static void loop_opens(uv_loop_t* which) {
    CHECK(which == &loop);
    say("open ");
}

static void loop_closes(const uv_loop_t* which) {
    CHECK(which == &loop);
    say("close ");
}

static void iteration_begins(uv_loop_t* which, uv_run_mode mode) {
    CHECK(which == &loop);
    say("turn%d ", mode);
}

static void iteration_ends(uv_loop_t* which) {
    CHECK(which == &loop);
    say("turned ");
}

static void run_ends(uv_loop_t* which, uv_run_mode mode, int alive) {
    CHECK(which == &loop);
    say("ran%d,%d ", mode, alive);
}

static void phase(const uv_loop_t* which, enum ph_phase which_phase) {
    static const char* const names[PH_PHASE_COUNT] = {"timers", "pending", "idle",   "prepare",
                                                      "poll",   "check",   "closing"};
    CHECK(which == &loop);
    say("%s ", names[which_phase]);
}

/* A wait may end early and go on. */
static void wait_begins(const uv_loop_t* which, int timeout) {
    static const char in_vain[] = "wait got0 ";
    CHECK(which == &loop);
    if (strlen(story) >= strlen(in_vain)) {
        char* end = story + strlen(story) - strlen(in_vain);
        *end = strcmp(end, in_vain) == 0 ? '\0' : *end;
    }
    say(timeout == 0 ? "ask " : "wait ");
}

static bool wants_a_turn;
static unsigned times_asked;

static bool wait_ends(const uv_loop_t* which, int count, unsigned asked) {
    CHECK(which == &loop);
    times_asked += asked;
    say("got%d ", count);
    return wants_a_turn;
}

static bool callback_begins(uv_loop_t* which, const void* subject, uintptr_t function,
                            enum ph_callback_kind kind) {
    CHECK(which == &loop || which == NULL);
    CHECK(subject != NULL && function != 0);
    say("%d( ", kind);
    return kind != PH_CB_WALK;
}

static void callback_ends(void) {
    say(") ");
}

static void timer_is_due(const uv_timer_t* handle, uint64_t due) {
    CHECK(handle->type == UV_TIMER && due <= uv_now(&loop));
    say("due ");
}

static void request_begins(const uv_loop_t* which, const void* req, uv_req_type type) {
    CHECK(which == &loop && ((const uv_req_t*)req)->type == type);
    say("request%d ", type);
}

static void request_ends(const uv_loop_t* which, const void* req) {
    CHECK(which == &loop && req != NULL);
    say("silent%d ", ((const uv_req_t*)req)->type);
}

static void work(enum ph_work_step step, const uv_loop_t* which, const void* subject) {
    static const char* const names[] = {"submitted", "begins", "ends", "cancelled"};
    CHECK(subject != NULL && which == (step == PH_WORK_SUBMITTED ? &loop : NULL));
    say("%s ", names[step]);
}

static void async_is_sent(const uv_loop_t* which, const uv_async_t* handle) {
    CHECK(which == &loop && handle->type == UV_ASYNC);
    say("sent ");
}

static void loop_wakes(const uv_loop_t* which) {
    CHECK(which == &loop);
    say("wakes ");
}

static void handle_is(enum ph_handle_step step, const uv_handle_t* handle) {
    static const char* const names[] = {"opens", "closes", "closed"};
    say("%s:%s ", uv_handle_type_name(handle->type), names[step]);
}

static void stream_has(const uv_stream_t* stream, const char* data, size_t size, bool received) {
    CHECK(stream->loop == &loop);
    say("%s=%.*s ", received ? "in" : "out", (int)size, data);
}

static const struct ph_hooks table = {.loop_opens = loop_opens,
                                      .loop_closes = loop_closes,
                                      .iteration_begins = iteration_begins,
                                      .iteration_ends = iteration_ends,
                                      .run_ends = run_ends,
                                      .phase = phase,
                                      .wait_begins = wait_begins,
                                      .wait_ends = wait_ends,
                                      .callback_begins = callback_begins,
                                      .callback_ends = callback_ends,
                                      .timer_is_due = timer_is_due,
                                      .request_begins = request_begins,
                                      .request_ends = request_ends,
                                      .work = work,
                                      .async_is_sent = async_is_sent,
                                      .loop_wakes = loop_wakes,
                                      .handle = handle_is,
                                      .stream_has = stream_has};

static void open_told_loop(void) {
    loop_thread = pthread_self();
    __atomic_store_n(&ph_hooks, &table, __ATOMIC_RELEASE);
    if (ph_watcher() == NULL)
        test_skip("the library is built without hooks");
    CHECK_OK(uv_loop_init(&loop));
    check_story(story, "open ");
}

static void close_told_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    forget_story();
    CHECK_OK(uv_loop_close(&loop));
    check_story(story, "close ");
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    check_story(story, "");
    __atomic_store_n(&ph_hooks, NULL, __ATOMIC_RELEASE);
}

static void on_timer(uv_timer_t* timer) {
    (void)timer;
}

static void on_close(uv_handle_t* handle) {
    (void)handle;
}

TEST(timer_is_told_of_from_its_making_to_its_end) {
    uv_timer_t timer;
    open_told_loop();
    CHECK_OK(uv_timer_init(&loop, &timer));
    check_story(story, "timer:opens ");
    CHECK_OK(uv_timer_start(&timer, on_timer, 0, 0));
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    check_story(story, "turn0 due 1( ) ran0,0 ");
    uv_update_time(&loop);
    CHECK_OK(uv_timer_start(&timer, on_timer, 20, 0));
    CHECK_EQ(uv_run(&loop, UV_RUN_ONCE), 0);
    check_story(story, "turn1 poll wait got0 timers due 1( ) turned ran1,0 ");
    CHECK_GE(times_asked, 1);
    uv_close((uv_handle_t*)&timer, on_close);
    check_story(story, "timer:closes ");
    CHECK_EQ(uv_run(&loop, UV_RUN_NOWAIT), 0);
    check_story(story, "turn2 closing timer:closed 6( ) turned ran2,0 ");
    close_told_loop();
}

static void on_walk(uv_handle_t* handle, void* arg) {
    (void)handle, (void)arg;
}

TEST(callback_that_nobody_wants_to_hear_of_has_no_end) {
    uv_timer_t timer;
    open_told_loop();
    CHECK_OK(uv_timer_init(&loop, &timer));
    forget_story();
    uv_walk(&loop, on_walk, NULL);
    check_story(story, "15( ");
    uv_close((uv_handle_t*)&timer, NULL);
    close_told_loop();
}

static void on_async(uv_async_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

TEST(async_is_told_of_once_however_often_it_is_sent) {
    uv_async_t async;
    open_told_loop();
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    check_story(story, "async:opens ");
    CHECK_OK(uv_async_send(&async));
    CHECK_OK(uv_async_send(&async));
    check_story(story, "sent wakes ");
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    check_story(story, "turn0 poll wait got0 5( async:closes ) closing async:closed ran0,0 ");
    close_told_loop();
}

static int started;
static uv_sem_t gate;

static void on_work(uv_work_t* req) {
    (void)req;
    started++;
    uv_sem_wait(&gate);
}

static void on_after(uv_work_t* req, int status) {
    (void)req, (void)status;
}

static void wait_for_text(const char* text, const char* part) {
    for (bool found = false; !found; usleep(100)) {
        pthread_mutex_lock(&lock);
        found = strstr(text, part) != NULL;
        pthread_mutex_unlock(&lock);
    }
}

/* Two pieces for one thread: the first runs, the second is taken back. */
static void check_work(phasor_pool_t* pool) {
    uv_work_t first, second;
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(phasor_loop_use_pool(&loop, pool, 0));
    CHECK_OK(uv_queue_work(&loop, &first, on_work, NULL));
    wait_for_text(elsewhere, "(");
    check_story(elsewhere, "begins 17( ");
    CHECK_OK(uv_queue_work(&loop, &second, on_work, on_after));
    check_story(story, "request7 submitted request7 submitted ");
    CHECK_OK(uv_cancel((uv_req_t*)&second));
    check_story(story, "cancelled wakes ");
    uv_sem_post(&gate);
    wait_for_text(elsewhere, "ends");
    check_story(elsewhere, ") ends ");
    while (uv_loop_alive(&loop))
        uv_run(&loop, UV_RUN_ONCE);
    CHECK(strstr(story, "18( ) ") != NULL);
    CHECK(strstr(story, "silent7 ") != NULL);
    CHECK_OK(phasor_loop_use_pool(&loop, NULL, 0));
    uv_sem_destroy(&gate);
}

TEST(work_of_the_pool_is_told_of_on_the_thread_that_does_it) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    open_told_loop();
    check_work(NULL);
    close_told_loop();
}

TEST(work_of_a_pool_of_ones_own_is_told_of_on_the_thread_that_does_it) {
    const struct phasor_pool_options options = {.threads_most = 1};
    phasor_pool_t* pool;
    open_told_loop();
    CHECK_OK(phasor_pool_new(&pool, &options));
    check_work(pool);
    CHECK_OK(phasor_pool_free(pool));
    close_told_loop();
}

static void free_pool(void* pool) {
    CHECK_OK(phasor_pool_free(pool));
}

TEST(work_that_its_pool_ends_with_is_told_of_as_cancelled) {
    const struct phasor_pool_options options = {.threads_most = 1};
    phasor_pool_t* pool;
    uv_work_t first, second;
    uv_thread_t thread;
    open_told_loop();
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(phasor_pool_new(&pool, &options));
    CHECK_OK(phasor_pool_queue(pool, &loop, &first, 0, on_work, on_after));
    wait_for_text(elsewhere, "(");
    CHECK_OK(phasor_pool_queue(pool, &loop, &second, 0, on_work, on_after));
    forget_story();
    CHECK_OK(uv_thread_create(&thread, free_pool, pool));
    wait_for_text(elsewhere, "cancelled ");
    uv_sem_post(&gate);
    CHECK_OK(uv_thread_join(&thread));
    check_story(story, "");
    uv_sem_destroy(&gate);
    close_told_loop();
}

static char bytes[64];

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    (void)handle, (void)size;
    *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    (void)stream, (void)buf;
    CHECK_EQ(size, 5);
}

TEST(bytes_of_streams_are_told_of_on_both_sides) {
    uv_pipe_t ends[2];
    uv_file fds[2];
    uv_write_t req;
    uv_buf_t bufs[2] = {uv_buf_init((char*)(uintptr_t) "he", 2),
                        uv_buf_init((char*)(uintptr_t) "llo", 3)};
    open_told_loop();
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_pipe_init(&loop, &ends[i], 0));
        CHECK_OK(uv_pipe_open(&ends[i], fds[i]));
    }
    CHECK_OK(uv_read_start((uv_stream_t*)&ends[0], on_alloc, on_read));
    forget_story();
    CHECK_OK(uv_write(&req, (uv_stream_t*)&ends[1], bufs, 2, NULL));
    check_story(story, "request3 out=he ");
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    check_story(story,
                "turn1 pending silent3 poll ask got1 7( ) in=hello 8( ) timers turned ran1,1 ");
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t*)&ends[i], NULL);
    close_told_loop();
}

static bool is_awake;

static void do_not_much(int signum) {
    (void)signum;
}

static void disturb(void* arg) {
    (void)arg;
    while (!__atomic_load_n(&is_awake, __ATOMIC_SEQ_CST)) {
        CHECK_OK(pthread_kill(loop_thread, SIGUSR1));
        usleep(1000);
    }
}

TEST(wait_that_was_disturbed_ends_for_whoever_wants_a_turn_to_begin) {
    struct sigaction action = {.sa_handler = do_not_much};
    uv_timer_t timer;
    uv_thread_t thread;
    open_told_loop();
    CHECK_OK(sigaction(SIGUSR1, &action, NULL));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, on_timer, 3600000, 0));
    forget_story();
    wants_a_turn = true;
    CHECK_OK(uv_thread_create(&thread, disturb, NULL));
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    __atomic_store_n(&is_awake, true, __ATOMIC_SEQ_CST);
    CHECK_OK(uv_thread_join(&thread));
    check_story(story, "turn1 poll wait got0 timers turned ran1,1 ");
    uv_close((uv_handle_t*)&timer, NULL);
    close_told_loop();
}

static void on_idle(uv_idle_t* idle) {
    (void)idle;
}

static void obey(void) {
    say("obey ");
    __atomic_store_n(&ph_hooks, &table, __ATOMIC_RELEASE);
}

static void leave(void) {}

static const struct ph_recorder recorder = {.obey = obey, .leave = leave};

const struct ph_recorder* phasor_recorder(const struct ph_services* services) {
    (void)services;
    return &recorder;
}

TEST(turn_that_a_recording_begins_with_is_told_of) {
    uv_idle_t idle;
    open_told_loop();
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, on_idle));
    forget_story();
    __atomic_store_n(&ph_hooks, &ph_summons, __ATOMIC_RELEASE);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    check_story(story, "obey turn2 2( ) turned ran2,1 ");
    uv_close((uv_handle_t*)&idle, NULL);
    close_told_loop();
}
