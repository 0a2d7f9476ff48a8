/* The thread that writes out what the others record, a few times a second. */

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "trace/file.h"
#include "trace/recorder.h"

enum {
    INTERVAL_NS = 100000000,
    MOST_BLOCK = 64 << 10, /* of events; names come in a block of at most the same size */
    MOST_EVENT = 64,       /* bytes */
    MOST_NAME = 1100,
    HOUSEKEEPING = 10, /* intervals */
    CRASH_PAUSES = 250 /* of 2 ms */
};

static struct {
    pthread_mutex_t lock; /* held while writing, and by a thread that forks */
    sem_t bell;
    pthread_cond_t turned;
    pthread_t thread;
    int stopping;
    int error;
    struct ph_trace_file file;
    size_t block_size;
    unsigned char* events; /* MOST_BLOCK bytes */
    unsigned char* names;
    size_t names_size;
    uint64_t maps_generation;
    uint64_t
        maps_segment; /* the segment that has the current maps; 0: they are before all segments */
    unsigned turns;   /* that are over */
    bool running;     /* until its last turn */
} writer = {.lock = PTHREAD_MUTEX_INITIALIZER, .turned = PTHREAD_COND_INITIALIZER, .file.fd = -1};

static void write_block(enum ph_trace_block_kind kind, const void* data, size_t size) {
    if (writer.error != 0)
        return;
    writer.error = ph_file_write_block(&writer.file, kind, data, size);
    if (writer.error != 0)
        ph_recorder_failed();
}

static void write_text(enum ph_trace_block_kind kind, void (*fill)(struct ph_text* text)) {
    struct ph_text text = {0};
    uint64_t segment_size = writer.file.header.segment_size;
    fill(&text);
    size_t needed = text.size + sizeof(struct ph_trace_block);
    if (!text.failed && (segment_size == 0 || needed <= segment_size)) {
        ph_file_need_room(&writer.file, needed);
        write_block(kind, text.data, text.size);
    }
    ph_text_free(&text);
}

static void write_maps(void) {
    writer.maps_generation = ph_snapshot_generation();
    write_text(PH_BLOCK_MAPS, ph_snapshot_maps);
    write_text(PH_BLOCK_BUILDS, ph_snapshot_builds);
}

/* New libraries have been loaded, or the segment that told of them will be overwritten soon. */
static void refresh_maps(void) {
    bool is_old =
        writer.maps_segment != 0 && writer.file.segment - writer.maps_segment >= PH_SEGMENTS - 1;
    if (ph_snapshot_generation() == writer.maps_generation && !is_old)
        return;
    write_maps();
    writer.maps_segment = writer.file.segment;
}

/* Events */

struct encoder {
    size_t size;
    uint64_t time, loop, subject;
    uint64_t detail[PH_EV_COUNT];
};

static size_t begin_block(const struct ph_buffer* buffer, uint64_t time) {
    unsigned char* out = writer.events;
    size_t name_size = strnlen(buffer->name, sizeof(buffer->name));
    size_t size = ph_put_varint(out, (uint64_t)buffer->owner);
    size += ph_put_varint(out + size, name_size);
    memcpy(out + size, buffer->name, name_size);
    size += name_size;
    return size + ph_put_varint(out + size, time);
}

static void encode(struct encoder* to, const struct ph_record* record) {
    unsigned char* out = writer.events + to->size;
    unsigned fields = ph_trace_fields(record->type);
    *out++ = (unsigned char)record->type;
    out += ph_put_varint(out, record->time - to->time);
    to->time = record->time;
    if (fields & PH_HAS_LOOP)
        out += ph_put_delta(out, record->loop, &to->loop);
    if (fields & PH_HAS_SUBJECT)
        out += ph_put_delta(out, record->subject, &to->subject);
    if (fields & PH_HAS_DETAIL)
        out += ph_put_delta(out, record->detail, &to->detail[record->type]);
    if (fields & PH_HAS_VALUE)
        out += ph_put_varint(out, record->value);
    to->size = (size_t)(out - writer.events);
}

/* Both blocks go to the same segment: the room for them is there before anything is encoded. */
static void write_blocks(const struct encoder* encoder) {
    if (writer.names_size > 0)
        write_block(PH_BLOCK_NAMES, writer.names, writer.names_size);
    writer.names_size = 0;
    write_block(PH_BLOCK_EVENTS, writer.events, encoder->size);
}

/* The taken events are gone even if they could not be written. */
static void write_some(struct ph_buffer* buffer, uint64_t head) {
    uint64_t tail = buffer->tail;
    const struct ph_record* record = &buffer->records[tail & (buffer->capacity - 1)];
    struct encoder encoder = {.time = record->time};
    ph_file_need_room(&writer.file, 2 * (writer.block_size + sizeof(struct ph_trace_block)));
    encoder.size = begin_block(buffer, record->time);
    while (tail != head && encoder.size + MOST_EVENT <= writer.block_size &&
           writer.names_size + MOST_NAME <= writer.block_size) {
        record = &buffer->records[tail++ & (buffer->capacity - 1)];
        if (record->type == PH_EV_SPAN_BEGIN)
            writer.names_size += ph_name_encode(
                (unsigned)record->detail, writer.file.header.clock + writer.file.segment,
                writer.names + writer.names_size, writer.block_size - writer.names_size);
        encode(&encoder, record);
    }
    write_blocks(&encoder);
    __atomic_store_n(&buffer->tail, tail, __ATOMIC_RELEASE);
}

static void empty_buffer(struct ph_buffer* buffer) {
    uint64_t head = __atomic_load_n(&buffer->head, __ATOMIC_ACQUIRE);
    while (buffer->tail != head)
        write_some(buffer, head);
}

/* What was lost at the very end has no later event of its thread that would tell of it. */
static void write_last_loss(struct ph_buffer* buffer) {
    uint64_t lost = __atomic_exchange_n(&buffer->lost, 0, __ATOMIC_RELAXED);
    struct timespec now;
    if (lost == 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct ph_record gap = {.time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec,
                            .value = lost < UINT32_MAX ? (uint32_t)lost : UINT32_MAX,
                            .type = PH_EV_LOST};
    ph_file_need_room(&writer.file, 2 * (writer.block_size + sizeof(struct ph_trace_block)));
    struct encoder encoder = {.size = begin_block(buffer, gap.time), .time = gap.time};
    encode(&encoder, &gap);
    write_blocks(&encoder);
}

/* A buffer whose thread has ended is free for the next one. */
static void release_buffer(struct ph_buffer* buffer) {
    int owner = __atomic_load_n(&buffer->owner, __ATOMIC_ACQUIRE);
    if (owner == 0 || syscall(SYS_tgkill, getpid(), owner, 0) == 0 || errno != ESRCH)
        return;
    empty_buffer(buffer);
    write_last_loss(buffer);
    __atomic_store_n(&buffer->owner, 0, __ATOMIC_RELEASE);
}

static void write_out(bool housekeeping) {
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        empty_buffer(buffer);
    if (writer.error == 0)
        ph_file_is_alive(&writer.file);
    if (!housekeeping)
        return;
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        release_buffer(buffer);
    refresh_maps();
}

/* The thread */

static void sleep_a_while(void) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += INTERVAL_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    while (sem_clockwait(&writer.bell, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR)
        continue;
}

static void* writer_main(void* unused) {
    (void)unused;
    pthread_setname_np(pthread_self(), "phasor-trace");
    while (!__atomic_load_n(&writer.stopping, __ATOMIC_ACQUIRE)) {
        sleep_a_while();
        pthread_mutex_lock(&writer.lock);
        write_out((writer.turns + 1) % HOUSEKEEPING == 0);
        __atomic_store_n(&writer.turns, writer.turns + 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&writer.turned);
        pthread_mutex_unlock(&writer.lock);
    }
    pthread_mutex_lock(&writer.lock);
    write_out(true);
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        write_last_loss(buffer);
    writer.running = false;
    pthread_cond_broadcast(&writer.turned);
    pthread_mutex_unlock(&writer.lock);
    return NULL;
}

void ph_writer_wake(void) {
    sem_post(&writer.bell);
}

void ph_writer_flush(void) {
    pthread_mutex_lock(&writer.lock);
    unsigned now = writer.turns;
    if (writer.running)
        sem_post(&writer.bell);
    while (writer.running && writer.turns == now)
        pthread_cond_wait(&writer.turned, &writer.lock);
    pthread_mutex_unlock(&writer.lock);
}

/* The lock may be held by whoever has crashed. Of two turns, the second began after this did. */
void ph_writer_flush_in_crash(void) {
    const struct timespec pause = {.tv_nsec = 2000000};
    unsigned now = __atomic_load_n(&writer.turns, __ATOMIC_ACQUIRE);
    if (!writer.running)
        return;
    sem_post(&writer.bell);
    sem_post(&writer.bell);
    for (int i = 0; i < CRASH_PAUSES; i++) {
        if (__atomic_load_n(&writer.turns, __ATOMIC_ACQUIRE) - now >= 2)
            return;
        nanosleep(&pause, NULL);
    }
}

static void set_running(bool running) {
    pthread_mutex_lock(&writer.lock);
    writer.running = running;
    pthread_mutex_unlock(&writer.lock);
}

static int start_thread(void) {
    sigset_t all, before;
    set_running(true);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&writer.thread, NULL, writer_main, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err != 0)
        set_running(false);
    return -err;
}

static size_t choose_block_size(void) {
    uint64_t segment = writer.file.header.segment_size;
    return segment == 0 || segment / 4 > MOST_BLOCK ? MOST_BLOCK : (size_t)segment / 4;
}

static void free_buffers(void) {
    ph_free(writer.events);
    ph_free(writer.names);
    writer.events = writer.names = NULL;
}

int ph_writer_start(const char* path, uint64_t limit, bool never_replace) {
    free_buffers();
    writer.events = ph_malloc(MOST_BLOCK);
    writer.names = ph_malloc(MOST_BLOCK);
    int err = writer.events == NULL || writer.names == NULL ? -ENOMEM : 0;
    if (err == 0)
        err = ph_file_open(&writer.file, path, limit, never_replace);
    if (err != 0) {
        free_buffers();
        return err;
    }
    sem_init(&writer.bell, 0, 0);
    writer.stopping = 0;
    writer.error = 0;
    writer.turns = 0;
    writer.names_size = 0;
    writer.maps_segment = 0;
    write_text(PH_BLOCK_INFO, ph_snapshot_info);
    write_maps();
    if (writer.error == 0)
        writer.error = ph_file_begin_segments(&writer.file);
    writer.block_size = choose_block_size();
    err = writer.error != 0 ? writer.error : start_thread();
    if (err != 0) {
        ph_file_close(&writer.file, PH_TRACE_FAILED, err);
        free_buffers();
    }
    return err;
}

int ph_writer_stop(void) {
    __atomic_store_n(&writer.stopping, 1, __ATOMIC_RELEASE);
    sem_post(&writer.bell);
    pthread_join(writer.thread, NULL);
    ph_file_close(&writer.file, writer.error != 0 ? PH_TRACE_FAILED : PH_TRACE_COMPLETE,
                  writer.error);
    free_buffers();
    return writer.error;
}

const char* ph_writer_path(void) {
    return writer.file.path;
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
        ph_file_let_go(&writer.file);
    }
    pthread_mutex_unlock(&writer.lock);
}
