/*
 * In place of trace/writer.c: without a thread. Whoever has filled half of its buffer writes out
 * all of them, so that the file follows from what was recorded, byte for byte. And what the
 * recorder asks about the process is answered with numbers of the world (sim/CMakeLists.txt
 * compiles
 * trace/recorder so that it asks here): a recording must neither show another run's numbers nor
 * change
 * the world.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder/blocks.h"
#include "recorder/memory.h"
#include "recorder/recorder.h"
#include "recorder/services.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/recorder.h"
#include "world/times.h"
#include "world/world.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool running;

static void write_out(bool all) {
    ph_blocks_write_out(all);
    ph_blocks_refresh_maps();
}

int ph_writer_start(const char* path, uint64_t limit, bool never_replace) {
    int err = ph_blocks_open(path, limit, never_replace);
    running = err == 0;
    return err;
}

int ph_writer_stop(void) {
    pthread_mutex_lock(&lock);
    running = false;
    write_out(true);
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        ph_blocks_last_loss(buffer);
    int err = ph_blocks_close(0);
    pthread_mutex_unlock(&lock);
    return err;
}

/* Also in a signal handler, which may have interrupted somebody who writes. */
static void try_to_write_out(bool all) {
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    if (running)
        write_out(all);
    pthread_mutex_unlock(&lock);
}

void ph_writer_wake(void) {
    try_to_write_out(false);
}

/* For the sampler, which has no thread here. */
void ph_leave_descriptors(void) {}

/* Threads of the world do not run on processors. */
bool ph_account_read(const struct ph_buffer* buffer, uint64_t* ran, uint32_t* waited) {
    (void)buffer;
    (void)ran;
    (void)waited;
    return false;
}

bool ph_account_own(struct ph_buffer* buffer, uint64_t time, uint64_t slept, uint64_t* ran,
                    uint32_t* waited) {
    (void)slept;
    buffer->accounted = time;
    return ph_account_read(buffer, ran, waited);
}

void ph_account_make_room(void) {}

void ph_account_close(struct ph_buffer* buffer) {
    (void)buffer;
}

/* Its name would be another one in each run. */
void ph_memory_open(void) {}

void ph_memory_close(void) {}

void ph_memory_forget(void) {}

const char* ph_memory_name(void) {
    return "";
}

void* ph_memory_take(size_t size) {
    (void)size;
    return NULL;
}

struct ph_stack_queue* ph_memory_take_stacks(void) {
    return NULL;
}

void ph_memory_note_file(const struct ph_trace_file* file) {
    (void)file;
}

void ph_memory_note_name(const unsigned char* data, size_t size) {
    (void)data;
    (void)size;
}

void ph_writer_flush(void) {
    ph_buffer_is_flushed(true);
    try_to_write_out(false);
    ph_buffer_is_flushed(false);
}

void ph_writer_flush_in_crash(void) {
    try_to_write_out(true);
}

void ph_writer_before_fork(void) {
    pthread_mutex_lock(&lock);
}

void ph_writer_after_fork(bool child) {
    if (child) {
        running = false;
        ph_blocks_let_go();
    }
    pthread_mutex_unlock(&lock);
}

void ph_recorder_name(const char* name) {
    char cut[16];
    snprintf(cut, sizeof(cut), "%s", name);
    pthread_setname_np(pthread_self(), cut);
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        if (buffer->owner == ph_recorder_tid())
            memcpy(buffer->name, cut, sizeof(cut));
}

enum { FIRST_PID = 1000, STRANGER = 999 };

int ph_recorder_pid(void) {
    return ph_world != NULL ? FIRST_PID * (ph_process_here()->host + 1)
                            : (int)ph_raw_call(SYS_getpid);
}

int ph_recorder_parent(void) {
    return ph_world != NULL ? 1 : (int)ph_raw_call(SYS_getppid);
}

int ph_recorder_tid(void) {
    if (ph_world == NULL)
        return (int)ph_raw_call(SYS_gettid);
    const struct ph_sleeper* sleeper = ph_sleeper_known();
    return ph_recorder_pid() + (sleeper != NULL ? (int)(sleeper->number & 0xffff) : STRANGER);
}

long ph_recorder_sysconf(int name) {
    return ph_world != NULL && name == _SC_NPROCESSORS_ONLN ? 1 : sysconf(name);
}

/* Time stands while code runs. Each event of a recording has a time of its own all the same, a
 * nanosecond after the last one, so that events of several threads keep their order. */
static uint64_t event_time(void) {
    static uint64_t last;
    uint64_t before = __atomic_load_n(&last, __ATOMIC_RELAXED), time;
    do
        time = ph_world->now > before ? ph_world->now : before + 1;
    while (!__atomic_compare_exchange_n(&last, &before, time, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
    return time;
}

/* When the process began is another time in every run. */
int ph_recorder_open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    int stand_in =
        ph_world != NULL && strcmp(path, "/proc/self/stat") == 0 ? ph_stand_in(path, flags) : -1;
    return stand_in != -1 ? stand_in : ph_raw_open(path, flags, mode);
}

/* Without moving the clock of a program that looks at it all the time. */
int ph_recorder_clock(clockid_t clock, struct timespec* now) {
    if (ph_world == NULL)
        return __real_clock_gettime(clock, now);
    uint64_t ns =
        clock == CLOCK_REALTIME ? ph_world->now + ph_world->wall : event_time() + PH_BOOTED;
    *now = (struct timespec){.tv_sec = (time_t)(ns / PH_S), .tv_nsec = (long)(ns % PH_S)};
    return 0;
}

void* ph_recorder_malloc(size_t size) {
    return __real_malloc(size);
}

void* ph_recorder_calloc(size_t count, size_t size) {
    return __real_calloc(count, size);
}

void* ph_recorder_realloc(void* memory, size_t size) {
    if (size > 0)
        return __real_realloc(memory, size);
    free(memory);
    return NULL;
}

void ph_recorder_free(void* memory) {
    free(memory);
}
