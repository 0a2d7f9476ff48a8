#include "recorder/sampler.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder/bell.h"
#include "recorder/events.h"
#include "recorder/memory.h"
#include "recorder/rest.h"

enum {
    LOOK_NS = 20000000,  /* between two looks while nothing takes long */
    BRIEF_NS = 1000000,  /* what has only just begun will most likely have ended by then */
    LONG_NS = 10000000,  /* that a callback may take */
    APART_NS = 50000000, /* between stacks of callbacks that are not long, at least */
    CLOSE_NS = 5000000,  /* between two stacks of one callback, at least */
    ANSWER_NS = 2000000, /* on a processor, in which an engine can be expected to answer */
    QUIET_LOOKS = 5,     /* at which nobody has said anything: it rests */
    SHARE = 32           /* and this part of what it has taken: a long one does not fill the file */
};

static struct ph_stack_queue own_queue; /* where memory that outlives the process can't be had */

static struct {
    pthread_mutex_t lock; /* the queue's */
    struct ph_stack_queue* queue;
    pthread_t thread;
    sem_t bell;
    int stopping;
    bool running;
    bool has_v8;
    bool can_ask; /* the kernel has the barrier that makes asking safe; the sampler's own */
} sampler = {.lock = PTHREAD_MUTEX_INITIALIZER, .queue = &own_queue};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* How long the thread has been on a processor. */
static uint64_t ran(int tid) {
    enum { OF_A_THREAD = 4, BY_THE_SCHEDULER = 2 };
    struct timespec time;
    clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | OF_A_THREAD | BY_THE_SCHEDULER);
    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The queue. What finds no room is dropped: a stack is one of many. */
static void give(const void* data, size_t size) {
    uint32_t length = (uint32_t)size;
    pthread_mutex_lock(&sampler.lock);
    struct ph_stack_queue* queue = sampler.queue;
    if (sizeof(length) + size <= sizeof(queue->bytes) - queue->used) {
        memcpy(queue->bytes + queue->used, &length, sizeof(length));
        memcpy(queue->bytes + queue->used + sizeof(length), data, size);
        __atomic_store_n(&queue->used, queue->used + sizeof(length) + size, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&sampler.lock);
}

void ph_sampler_write_out(void (*write)(const void* data, size_t size)) {
    uint32_t length;
    pthread_mutex_lock(&sampler.lock);
    struct ph_stack_queue* queue = sampler.queue;
    for (size_t at = 0; at < queue->used; at += sizeof(length) + length) {
        memcpy(&length, queue->bytes + at, sizeof(length));
        write(queue->bytes + at + sizeof(length), length);
    }
    queue->used = 0;
    pthread_mutex_unlock(&sampler.lock);
}

static void use_queue(struct ph_stack_queue* queue) {
    pthread_mutex_lock(&sampler.lock);
    sampler.queue = queue;
    queue->used = 0;
    pthread_mutex_unlock(&sampler.lock);
}

/* A stack that an engine tells, on its thread */

static void put_number(struct ph_stack* stack, uint64_t value) {
    stack->size += ph_put_varint(stack->data + stack->size, value);
}

static void put_text(struct ph_stack* stack, const char* text, size_t size) {
    put_number(stack, size);
    memcpy(stack->data + stack->size, text, size);
    stack->size += size;
}

void ph_stack_head(struct ph_stack* stack, int tid, uint64_t asked, uint64_t since,
                   enum ph_stack_form form) {
    uint64_t time = now();
    stack->size = 0;
    put_number(stack, (uint64_t)tid);
    put_number(stack, time);
    put_number(stack, asked != 0 ? asked : time);
    put_number(stack, since);
    put_number(stack, form);
}

bool ph_stack_begin(struct ph_stack* stack, enum ph_stack_form late) {
    struct ph_buffer* buffer = ph_own_buffer();
    uint64_t asked = buffer != NULL ? __atomic_load_n(&buffer->asked, __ATOMIC_ACQUIRE) : 0;
    uint64_t since = buffer != NULL ? buffer->since : 0;
    if (asked == 0)
        return false;
    bool is_late = late != PH_STACK_NAMED && ran(ph_buffer_owner(buffer)) - buffer->ran > ANSWER_NS;
    __atomic_store_n(&buffer->asked, 0, __ATOMIC_RELEASE);
    /* It was meant for a callback that has ended since. */
    if (since == 0 || since > asked || !ph_trace_on())
        return false;
    ph_stack_head(stack, ph_buffer_owner(buffer), asked, since, is_late ? late : PH_STACK_NAMED);
    return true;
}

void ph_stack_frame(struct ph_stack* stack, const char* function, const char* file, unsigned line,
                    unsigned running) {
    enum { MOST_TEXT = 512, MOST_NUMBERS = 32 };
    size_t function_size = strnlen(function, MOST_TEXT), file_size = strnlen(file, MOST_TEXT);
    if (function_size + file_size + MOST_NUMBERS > sizeof(stack->data) - stack->size)
        return;
    put_text(stack, function, function_size);
    put_text(stack, file, file_size);
    put_number(stack, line);
    put_number(stack, running);
}

void ph_stack_end(struct ph_stack* stack) {
    give(stack->data, stack->size);
}

/* For runtimes */

int ph_stack_wanted(void) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer == NULL)
        return 0;
    if (!buffer->has_runtime)
        __atomic_store_n(&buffer->has_runtime, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&buffer->asked, __ATOMIC_RELAXED) != 0;
}

void ph_stack_told(const struct phasor_frame* frames, unsigned count) {
    struct ph_stack stack;
    if (!ph_stack_begin(&stack, PH_STACK_NAMED))
        return;
    for (unsigned i = 0; i < count && i < PH_STACK_FRAMES; i++)
        ph_stack_frame(&stack, frames[i].function != NULL ? frames[i].function : "",
                       frames[i].file != NULL ? frames[i].file : "",
                       frames[i].line > 0 ? (unsigned)frames[i].line : 0,
                       frames[i].running > 0 ? (unsigned)frames[i].running : 0);
    ph_stack_end(&stack);
}

/* On the loop's thread */

static void note_engines(struct ph_buffer* buffer) {
    __atomic_store_n(&buffer->isolate, ph_v8_here(), __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->interpreter, ph_python_here(), __ATOMIC_RELAXED);
}

void ph_sampler_run_ends(bool may_wait) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer == NULL || buffer->depth > 0 || buffer->head == 0)
        return;
    __atomic_store_n(&buffer->may_wait, may_wait, __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->outside, true, __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->since, buffer->latest, __ATOMIC_RELEASE);
}

void ph_sampler_goes_beyond(void) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer == NULL || buffer->depth > 0 || buffer->head == 0 || !ph_v8_is_node())
        return;
    __atomic_store_n(&buffer->may_wait, false, __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->beyond, true, __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->outside, true, __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->since, buffer->latest, __ATOMIC_RELEASE);
}

void ph_sampler_sets_up(void) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer != NULL && buffer->beyond && buffer->depth == 0)
        note_engines(buffer);
}

void ph_sampler_takes_down(void) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer == NULL || !buffer->beyond || buffer->depth > 0)
        return;
    __atomic_store_n(&buffer->since, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&buffer->beyond, false, __ATOMIC_RELAXED);
    if (__atomic_load_n(&buffer->asking, __ATOMIC_RELAXED))
        ph_sampler_wait(buffer);
}

void ph_sampler_is_inside(void) {
    struct ph_buffer* buffer = ph_buffer_here();
    if (buffer == NULL || buffer->depth > 0)
        return;
    note_engines(buffer);
    __atomic_store_n(&buffer->outside, false, __ATOMIC_RELAXED);
    __atomic_store_n(&buffer->since, now(), __ATOMIC_RELEASE);
}

void ph_sampler_turn_begins(void) {
    struct ph_buffer* buffer = ph_own_buffer();
    if (buffer == NULL)
        return;
    if (buffer->since != 0 && buffer->depth == 0) {
        __atomic_store_n(&buffer->since, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&buffer->outside, false, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->beyond, false, __ATOMIC_RELAXED);
    }
    note_engines(buffer);
}

void ph_sampler_wait(struct ph_buffer* buffer) {
    while (__atomic_load_n(&buffer->asking, __ATOMIC_ACQUIRE))
        sched_yield();
}

/* The sampler's own thread */

/*
 * An engine may be gone once the callback has ended. So: either the thread sees `asking` when its
 * callback ends and waits, or the sampler sees that it has ended. The thread has no fence for that
 * on its way: the barrier is one on both sides.
 */
static void ask_engine(struct ph_buffer* buffer, uint64_t since) {
    void* isolate = __atomic_load_n(&buffer->isolate, __ATOMIC_RELAXED);
    /* Outside of uv_run one that is not Node's may be gone at any time. */
    if (!sampler.can_ask || isolate == NULL ||
        (__atomic_load_n(&buffer->outside, __ATOMIC_RELAXED) &&
         !__atomic_load_n(&buffer->beyond, __ATOMIC_RELAXED)))
        return;
    __atomic_store_n(&buffer->asking, 1, __ATOMIC_SEQ_CST);
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0 &&
        __atomic_load_n(&buffer->since, __ATOMIC_ACQUIRE) == since)
        ph_v8_ask(isolate);
    __atomic_store_n(&buffer->asking, 0, __ATOMIC_RELEASE);
}

static bool is_in_lua(const struct ph_buffer* buffer) {
    return __atomic_load_n(&buffer->lua, __ATOMIC_RELAXED) != NULL;
}

static bool has_engine(const struct ph_buffer* buffer) {
    return (sampler.can_ask && __atomic_load_n(&buffer->isolate, __ATOMIC_RELAXED) != NULL) ||
           __atomic_load_n(&buffer->has_runtime, __ATOMIC_RELAXED) || is_in_lua(buffer);
}

static void take_native(const struct ph_buffer* buffer, uint64_t since, bool may_run) {
    static struct ph_stack stack;
    if (ph_native_stack(buffer, since, may_run, &stack) &&
        __atomic_load_n(&buffer->since, __ATOMIC_ACQUIRE) == since)
        give(stack.data, stack.size);
}

static void ask(struct ph_buffer* buffer, uint64_t since, uint64_t time) {
    buffer->ran = ran(ph_buffer_owner(buffer));
    __atomic_store_n(&buffer->asked, time, __ATOMIC_RELEASE);
    ask_engine(buffer, since);
    if (is_in_lua(buffer))
        ph_native_ask_lua(buffer);
}

/* Nothing waits for its answer any more. */
static bool answers(const struct ph_buffer* buffer, uint64_t since) {
    return __atomic_load_n(&buffer->asked, __ATOMIC_ACQUIRE) <= since;
}

/* Node runs all timers in one callback, and so on: what they are is known by a stack now and then
 * of those that are not long. */
static void sample_brief(struct ph_buffer* buffer, uint64_t since, uint64_t time) {
    if (time < buffer->next_brief || !answers(buffer, since) ||
        __atomic_load_n(&buffer->isolate, __ATOMIC_RELAXED) == NULL ||
        __atomic_load_n(&buffer->has_runtime, __ATOMIC_RELAXED) ||
        __atomic_load_n(&buffer->outside, __ATOMIC_RELAXED))
        return;
    buffer->next_brief = time + APART_NS;
    ask(buffer, since, time);
}

/* When to look again, in ns: what is going on is seen when it has become long. */
static uint64_t look_at(struct ph_buffer* buffer, uint64_t time) {
    uint64_t since = __atomic_load_n(&buffer->since, __ATOMIC_ACQUIRE);
    if (since == 0 || time < since + BRIEF_NS || ph_buffer_owner(buffer) == 0 ||
        (__atomic_load_n(&buffer->beyond, __ATOMIC_RELAXED) &&
         __atomic_load_n(&buffer->isolate, __ATOMIC_RELAXED) == NULL))
        return LOOK_NS;
    if (time - since < LONG_NS) {
        sample_brief(buffer, since, time);
        return since + LONG_NS - time;
    }
    if (buffer->sampled == since && time < buffer->next_sample)
        return CLOSE_NS;
    uint64_t pause = (time - since) / SHARE;
    buffer->sampled = since;
    buffer->next_sample = time + (pause > CLOSE_NS ? pause : CLOSE_NS);
    bool is_new = answers(buffer, since);
    if (is_new)
        ask(buffer, since, time);
    /* An engine that does not answer is in native code, unless it had no time for it: in a system
     * call it certainly is. */
    if (!has_engine(buffer) || !is_new)
        take_native(buffer, since,
                    is_new || ran(ph_buffer_owner(buffer)) - buffer->ran > ANSWER_NS);
    return CLOSE_NS;
}

static void sleep_for(uint64_t ns) {
    uint64_t end = now() + ns;
    struct timespec until = {.tv_sec = (time_t)(end / 1000000000),
                             .tv_nsec = (long)(end % 1000000000)};
    ph_bell_wait(&sampler.bell, &until);
}

/* The kernel takes up to 50 ms for it in a process of several threads: nobody waits for that, and a
 * program that has ended by now has no use for it. */
static void get_barrier(void) {
    sampler.can_ask = sampler.has_v8 && !__atomic_load_n(&sampler.stopping, __ATOMIC_ACQUIRE) &&
                      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Of a program that is killed, stacks are taken from there. */
static void share_queue(void) {
    struct ph_stack_queue* shared = ph_memory_take_stacks();
    if (shared != NULL)
        use_queue(shared);
}

/* Nobody is in anything, and nobody has said anything since the last look. */
static bool is_quiet(void) {
    static uint64_t before;
    uint64_t said = 0;
    bool somebody = false;
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next) {
        said += __atomic_load_n(&buffer->head, __ATOMIC_RELAXED);
        somebody |=
            ph_buffer_owner(buffer) != 0 && __atomic_load_n(&buffer->since, __ATOMIC_RELAXED) != 0;
    }
    bool is_new = said != before;
    before = said;
    return !somebody && !is_new;
}

/* Until somebody says something. How long to wait then: that may take long from there on. */
static uint64_t rest(void) {
    do {
        ph_rest(PH_SAMPLER_RESTS);
        sleep_for(PH_REST_NS);
    } while (!ph_is_awake(PH_SAMPLER_RESTS) && is_quiet() &&
             !__atomic_load_n(&sampler.stopping, __ATOMIC_ACQUIRE));
    bool woken = !ph_rise(PH_SAMPLER_RESTS);
    ph_wake_one();
    return woken ? LONG_NS : LOOK_NS;
}

static void* sampler_main(void* ready) {
    uint64_t pause = LOOK_NS;
    unsigned quiet = 0;
    pthread_setname_np(pthread_self(), "phasor-stacks");
    prctl(PR_SET_TIMERSLACK, LONG_NS / 5); /* wakes up when somebody else does */
    ph_native_begin();
    sem_post(ready); /* and it is gone */
    ph_account_make_room();
    ph_leave_descriptors();
    share_queue();
    sleep_for(pause);
    get_barrier();
    while (!__atomic_load_n(&sampler.stopping, __ATOMIC_ACQUIRE)) {
        sleep_for(pause);
        quiet = is_quiet() ? quiet + 1 : 0;
        if (quiet == QUIET_LOOKS) {
            pause = rest();
            quiet = 0;
            continue;
        }
        uint64_t time = now();
        pause = LOOK_NS;
        for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next) {
            uint64_t wanted = look_at(buffer, time);
            pause = wanted < pause ? wanted : pause;
        }
    }
    return NULL;
}

void ph_sampler_start(void) {
    sigset_t all, before;
    sem_t ready;
    sampler.has_v8 = ph_v8_find();
    sampler.can_ask = false;
    ph_v8_frames_find();
    ph_python_find();
    ph_lua_find();
    use_queue(&own_queue); /* the writer is there already */
    sampler.stopping = 0;
    sem_init(&sampler.bell, 0, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    sem_init(&ready, 0, 0);
    sampler.running = pthread_create(&sampler.thread, NULL, sampler_main, &ready) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    /* It tries out a signal that nobody handles yet: not when the program goes on, and may. */
    while (sampler.running && sem_wait(&ready) != 0)
        continue;
}

void ph_sampler_wake(void) {
    sem_post(&sampler.bell);
}

void ph_sampler_stop(void) {
    if (!sampler.running)
        return;
    __atomic_store_n(&sampler.stopping, 1, __ATOMIC_RELEASE);
    sem_post(&sampler.bell);
    pthread_join(sampler.thread, NULL);
    ph_lua_leave();
    sampler.running = false;
}

void ph_sampler_before_fork(void) {
    pthread_mutex_lock(&sampler.lock);
}

void ph_sampler_after_fork(bool child) {
    if (child) {
        sampler.running = false;
        sampler.queue = &own_queue;
    }
    pthread_mutex_unlock(&sampler.lock);
}
