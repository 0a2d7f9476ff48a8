/* The thread that writes out what the others record, a few times a second. */

#include <errno.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder/bell.h"
#include "recorder/blocks.h"
#include "recorder/recorder.h"
#include "recorder/rest.h"
#include "recorder/sampler.h"

enum {
    INTERVAL_NS = 100000000,
    HOUSEKEEPING = 10, /* intervals */
    QUIET_TURNS = 2,   /* after which it rests: of what woke it, the first one may see nothing */
    CRASH_PAUSES = 250 /* of 2 ms */
};

static struct {
    pthread_mutex_t lock; /* held while writing, and by a thread that forks */
    sem_t bell;
    pthread_cond_t turned;
    pthread_t thread;
    int stopping;
    int result;     /* of opening the file, then of everything */
    unsigned turns; /* that are over */
    bool running;   /* until its last turn */
    int is_dying;   /* the process is */
} writer = {.lock = PTHREAD_MUTEX_INITIALIZER, .turned = PTHREAD_COND_INITIALIZER};

/* A buffer whose thread has ended is free for the next one, which sees all that it has done. */
static void release_buffer(struct ph_buffer* buffer) {
    int owner = __atomic_load_n(&buffer->owner, __ATOMIC_ACQUIRE);
    if (owner == 0 || syscall(SYS_tgkill, getpid(), owner, 0) == 0 || errno != ESRCH)
        return;
    (void)__atomic_load_n(&buffer->busy, __ATOMIC_ACQUIRE);
    ph_blocks_empty(buffer);
    ph_blocks_last_loss(buffer);
    buffer->accounted = buffer->had_run = buffer->asked_kernel = 0;
    __atomic_store_n(&buffer->owner, 0, __ATOMIC_RELEASE);
}

static void write_out(bool all, bool housekeeping) {
    ph_blocks_write_out(all);
    if (!housekeeping)
        return;
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        release_buffer(buffer);
    ph_blocks_refresh_maps();
}

/* The thread */

static void sleep_for(uint64_t ns) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t end = (uint64_t)until.tv_nsec + ns;
    until.tv_sec += (time_t)(end / 1000000000);
    until.tv_nsec = (long)(end % 1000000000);
    ph_bell_wait(&writer.bell, &until);
}

/* Whether somebody has said something after it had rested. */
static bool rest(void) {
    ph_rest(PH_WRITER_RESTS);
    if (ph_blocks_may_rest())
        sleep_for(PH_REST_NS);
    else
        ph_rise(PH_WRITER_RESTS);
    return ph_is_awake(PH_WRITER_RESTS);
}

/* The thread sanitizer takes equal numbers for the same descriptor. */
void ph_leave_descriptors(void) {
#ifndef __SANITIZE_THREAD__
    syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE);
#endif
}

static void write_until_stopped(void) {
    unsigned quiet = 0;
    while (!__atomic_load_n(&writer.stopping, __ATOMIC_ACQUIRE)) {
        bool rests = quiet >= QUIET_TURNS, woken = rests && rest();
        if (!rests)
            sleep_for(INTERVAL_NS);
        pthread_mutex_lock(&writer.lock);
        write_out(__atomic_load_n(&writer.is_dying, __ATOMIC_RELAXED),
                  rests || (writer.turns + 1) % HOUSEKEEPING == 0);
        quiet = ph_blocks_may_rest() && !woken ? quiet + 1 : 0;
        __atomic_store_n(&writer.turns, writer.turns + 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&writer.turned);
        pthread_mutex_unlock(&writer.lock);
    }
    pthread_mutex_lock(&writer.lock);
    write_out(true, true);
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        ph_blocks_last_loss(buffer);
    writer.running = false;
    pthread_cond_broadcast(&writer.turned);
    pthread_mutex_unlock(&writer.lock);
}

static void set_running(void) {
    pthread_mutex_lock(&writer.lock);
    writer.running = true;
    pthread_mutex_unlock(&writer.lock);
}

struct start {
    const char* path;
    uint64_t limit;
    bool never_replace;
    sem_t opened;
};

static void* writer_main(void* argument) {
    struct start* start = argument;
    pthread_setname_np(pthread_self(), "phasor-trace");
    prctl(PR_SET_TIMERSLACK, INTERVAL_NS / 20); /* wakes up when somebody else does */
    ph_leave_descriptors();
    int err = ph_blocks_open(start->path, start->limit, start->never_replace);
    writer.result = err;
    if (err == 0)
        set_running();
    sem_post(&start->opened); /* and it is gone */
    if (err != 0)
        return NULL;
    write_until_stopped();
    writer.result = ph_blocks_close(0);
    return NULL;
}

void ph_writer_wake(void) {
    sem_post(&writer.bell);
}

void ph_writer_flush(void) {
    ph_buffer_is_flushed(true);
    pthread_mutex_lock(&writer.lock);
    unsigned now = writer.turns;
    if (writer.running)
        sem_post(&writer.bell);
    while (writer.running && writer.turns == now)
        pthread_cond_wait(&writer.turned, &writer.lock);
    pthread_mutex_unlock(&writer.lock);
    ph_buffer_is_flushed(false);
}

/* The lock may be held by whoever has crashed. Of two turns, the second began after this did. */
void ph_writer_flush_in_crash(void) {
    const struct timespec pause = {.tv_nsec = 2000000};
    unsigned now = __atomic_load_n(&writer.turns, __ATOMIC_ACQUIRE);
    if (!writer.running)
        return;
    __atomic_store_n(&writer.is_dying, 1, __ATOMIC_RELAXED);
    sem_post(&writer.bell);
    sem_post(&writer.bell);
    for (int i = 0; i < CRASH_PAUSES; i++) {
        if (__atomic_load_n(&writer.turns, __ATOMIC_ACQUIRE) - now >= 2)
            return;
        nanosleep(&pause, NULL);
    }
}

static int start_thread(struct start* start) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&writer.thread, NULL, writer_main, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err != 0)
        return -err;
    while (sem_wait(&start->opened) != 0)
        continue;
    if (writer.result != 0)
        pthread_join(writer.thread, NULL);
    return writer.result;
}

int ph_writer_start(const char* path, uint64_t limit, bool never_replace) {
    struct start start = {.path = path, .limit = limit, .never_replace = never_replace};
    sem_init(&start.opened, 0, 0);
    sem_init(&writer.bell, 0, 0);
    writer.stopping = writer.is_dying = 0;
    writer.turns = 0;
    int err = start_thread(&start);
    if (err == 0)
        ph_sampler_start();
    return err;
}

int ph_writer_stop(void) {
    ph_sampler_stop();
    __atomic_store_n(&writer.stopping, 1, __ATOMIC_RELEASE);
    sem_post(&writer.bell);
    pthread_join(writer.thread, NULL);
    return writer.result;
}

void ph_writer_before_fork(void) {
    pthread_mutex_lock(&writer.lock);
}

/* The child has no writer, and the file is the parent's. The path stays: the child's own begins
 * with it. */
void ph_writer_after_fork(bool child) {
    if (child) {
        writer.running = false;
        pthread_cond_init(&writer.turned, NULL);
        ph_blocks_let_go();
    }
    pthread_mutex_unlock(&writer.lock);
}
