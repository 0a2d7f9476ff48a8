/* The buffers that threads fill with events. */

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "trace/memory.h"
#include "trace/recorder.h"
#include "trace/sampler.h"
#include "trace/trace.h"
#include <phasor.h>

enum { SMALL_RING = 2048, LARGE_RINGS = 16 /* for the first so many threads */ };

/* So many events seem to be in a buffer of an earlier recording, whose memory is gone: its thread
 * takes another one. */
#define RETIRED ((uint64_t)1 << 40)

static struct ph_buffer* buffers; /* all there are, newest first */
static unsigned buffer_count;
static uint64_t lost_without_buffer;
static __thread struct ph_buffer* own_buffer __attribute__((tls_model("initial-exec")));

struct ph_buffer* ph_buffers(void) {
    return __atomic_load_n(&buffers, __ATOMIC_ACQUIRE);
}

struct ph_buffer* ph_own_buffer(void) {
    return own_buffer;
}

static struct ph_buffer* claim_free_buffer(int tid) {
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next) {
        int nobody = 0;
        if (__atomic_load_n(&buffer->owner, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&buffer->owner, &nobody, tid, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return buffer;
    }
    return NULL;
}

/* Uses nothing that a signal handler may not. */
static struct ph_buffer* make_buffer(int tid) {
    unsigned number = __atomic_fetch_add(&buffer_count, 1, __ATOMIC_RELAXED);
    if (number >= PH_MOST_BUFFERS) {
        __atomic_fetch_sub(&buffer_count, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    uint32_t capacity = number < LARGE_RINGS ? PH_LARGEST_RING : SMALL_RING;
    size_t size = sizeof(struct ph_buffer) + capacity * sizeof(struct ph_record);
    struct ph_buffer* buffer = ph_memory_take(size);
    bool shared = buffer != NULL;
    if (!shared)
        buffer = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return NULL;
    buffer->capacity = capacity;
    buffer->is_shared = shared;
    buffer->owner = tid;
    return buffer;
}

static void push(struct ph_buffer* buffer) {
    buffer->next = ph_buffers();
    while (!__atomic_compare_exchange_n(&buffers, &buffer->next, buffer, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        continue;
}

static struct ph_buffer* buffer_for_this_thread(void) {
    int tid = gettid();
    if (!ph_recorder_takes_events())
        return NULL;
    struct ph_buffer* buffer = claim_free_buffer(tid);
    if (buffer != NULL) {
        /* The thread before may have ended in the middle of a callback. */
        ph_account_close(buffer);
        buffer->depth = 0;
        __atomic_store_n(&buffer->since, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&buffer->isolate, NULL, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->interpreter, NULL, __ATOMIC_RELAXED);
        prctl(PR_GET_NAME, buffer->name);
        own_buffer = buffer;
        return buffer;
    }
    buffer = make_buffer(tid);
    if (buffer == NULL) {
        __atomic_fetch_add(&lost_without_buffer, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    prctl(PR_GET_NAME, buffer->name);
    own_buffer = buffer;
    push(buffer);
    return buffer;
}

void ph_buffers_empty(void) {
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next) {
        uint64_t head = __atomic_load_n(&buffer->head, __ATOMIC_ACQUIRE);
        __atomic_store_n(&buffer->tail, head, __ATOMIC_RELEASE);
        __atomic_store_n(&buffer->lost, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->lost_since, 0, __ATOMIC_RELAXED);
        buffer->last_type = PH_EV_NONE;
    }
}

/* The others are used again. */
void ph_buffers_retire(void) {
    struct ph_buffer* all = __atomic_exchange_n(&buffers, NULL, __ATOMIC_ACQ_REL);
    for (struct ph_buffer *buffer = all, *next; buffer != NULL; buffer = next) {
        next = buffer->next;
        ph_account_close(buffer);
        if (buffer->is_shared) {
            __atomic_fetch_sub(&buffer_count, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&buffer->tail, buffer->head - RETIRED, __ATOMIC_RELEASE);
        } else {
            push(buffer);
        }
    }
}

/* What is shared is the parent's. */
void ph_buffers_forget(void) {
    struct ph_buffer* all = buffers;
    buffers = NULL;
    buffer_count = 0;
    for (struct ph_buffer *buffer = all, *next; buffer != NULL; buffer = next) {
        next = buffer->next;
        struct ph_buffer copy = *buffer;
        ph_account_close(&copy);
        if (buffer->is_shared)
            continue;
        *buffer = (struct ph_buffer){.capacity = buffer->capacity};
        buffer_count++;
        push(buffer);
    }
    own_buffer = NULL;
}

/* Never before the thread's last event: a look at the kernel's clock may correct the time. */
static uint64_t now(struct ph_buffer* buffer) {
    uint64_t time = ph_event_clock_now(&buffer->clock);
    return time > buffer->latest ? time : buffer->latest;
}

static struct ph_record* slot(struct ph_buffer* buffer, uint64_t head) {
    return &buffer->records[head & (buffer->capacity - 1)];
}

static void put(struct ph_buffer* buffer, uint64_t head, const struct ph_record* record) {
    *slot(buffer, head) = *record;
    __atomic_store_n(&buffer->head, head + 1, __ATOMIC_RELEASE);
}

/* For the sampler: what the thread is in, and since when. What the pool runs keeps no loop waiting.
 */
static void note_depth(struct ph_buffer* buffer, enum ph_trace_type type, uint32_t value,
                       uint64_t time) {
    bool is_span = type == PH_EV_SPAN_BEGIN || type == PH_EV_SPAN_END;
    if (is_span ? value == PHASOR_SPAN_MARK : type == PH_EV_CALLBACK_BEGIN && value == PH_CB_WORK)
        return;
    if (type == PH_EV_CALLBACK_BEGIN || type == PH_EV_SPAN_BEGIN) {
        if (buffer->depth++ == 0) {
            __atomic_store_n(&buffer->since, time, __ATOMIC_RELEASE);
            __atomic_store_n(&buffer->outside, false, __ATOMIC_RELAXED);
        }
    } else if (buffer->depth == 0 || --buffer->depth == 0) {
        __atomic_store_n(&buffer->since, 0, __ATOMIC_RELEASE);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (__atomic_load_n(&buffer->asking, __ATOMIC_RELAXED))
            ph_sampler_wait(buffer);
    }
}

static bool changes_depth(enum ph_trace_type type) {
    return (1u << PH_EV_CALLBACK_BEGIN | 1u << PH_EV_CALLBACK_END | 1u << PH_EV_SPAN_BEGIN |
            1u << PH_EV_SPAN_END) >>
               type &
           1;
}

/* With the time of the event before which it is told. */
static __attribute__((noinline)) uint64_t account(struct ph_buffer* buffer, uint64_t head,
                                                  enum ph_trace_type next, uint64_t time) {
    struct ph_record record = {.time = time, .type = PH_EV_ACCOUNT};
    uint64_t silent = time - buffer->latest;
    uint64_t slept = next == PH_EV_WAIT_END ? silent : 0;
    int err = errno;
    /* Something took long: it is known exactly why. */
    if (slept == 0 && silent >= PH_ACCOUNT_NS)
        buffer->asked_kernel = 0;
    if (ph_account_own(buffer, record.time, slept, &record.detail, &record.value))
        put(buffer, head++, &record);
    errno = err;
    return head;
}

static __attribute__((noinline)) uint64_t tell_of_gap(struct ph_buffer* buffer, uint64_t head,
                                                      uint64_t time) {
    struct ph_record gap = ph_buffer_gap(buffer, time);
    put(buffer, head++, &gap);
    return head;
}

struct ph_record ph_buffer_gap(struct ph_buffer* buffer, uint64_t time) {
    uint64_t lost = __atomic_exchange_n(&buffer->lost, 0, __ATOMIC_RELAXED);
    uint64_t since = __atomic_exchange_n(&buffer->lost_since, 0, __ATOMIC_RELAXED);
    if (since == 0 || since > time)
        since = time;
    return (struct ph_record){.time = since,
                              .detail = time - since,
                              .value = lost < UINT32_MAX ? (uint32_t)lost : UINT32_MAX,
                              .type = PH_EV_GAP};
}

static __attribute__((noinline)) void lose(struct ph_buffer* buffer, uint64_t time) {
    __atomic_fetch_add(&buffer->lost, 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&buffer->lost_since, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&buffer->lost_since, time, __ATOMIC_RELAXED);
}

/* Below 0 in a buffer that is retired. */
static int64_t room(uint64_t head, uint64_t full) {
    return (int64_t)(full - head);
}

struct ph_buffer* ph_buffer_here(void) {
    struct ph_buffer* buffer = own_buffer;
    if (buffer != NULL && room(buffer->head, buffer->tail + buffer->capacity) < 0)
        own_buffer = buffer = NULL;
    return buffer != NULL ? buffer : buffer_for_this_thread();
}

/* An event that comes in while the thread is here, from a signal handler, is lost, and counted. */
void ph_trace_event(enum ph_trace_type type, const void* loop, const void* subject, uint64_t detail,
                    uint32_t value) {
    struct ph_buffer* buffer = own_buffer;
    if (!(__atomic_load_n(&ph_tracing, __ATOMIC_RELAXED) & PH_TRACE_ON))
        return;
    if (buffer == NULL && (buffer = buffer_for_this_thread()) == NULL)
        return;
    if (buffer->busy) {
        lose(buffer, buffer->latest);
        return;
    }
    __atomic_store_n(&buffer->busy, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t began = buffer->head, head = began, time = now(buffer);
    uint64_t full = __atomic_load_n(&buffer->tail, __ATOMIC_ACQUIRE) + buffer->capacity;
    if (__builtin_expect(__atomic_load_n(&buffer->lost, __ATOMIC_RELAXED) != 0, 0) &&
        room(head, full) > 1)
        head = tell_of_gap(buffer, head, time);
    if (__builtin_expect(time - buffer->latest >= PH_ACCOUNT_NS ||
                             time - buffer->accounted >= PH_ACCOUNT_MOST_NS,
                         0) &&
        room(head, full) > 1)
        head = account(buffer, head, type, time);
    buffer->latest = time;
    if (__builtin_expect(room(head, full) > 0, 1)) {
        *slot(buffer, head) =
            (struct ph_record){time, (uintptr_t)loop, (uintptr_t)subject, detail, value, type};
        __atomic_store_n(&buffer->head, ++head, __ATOMIC_RELEASE);
    } else if (room(head, full) < 0) {
        own_buffer = NULL;
        ph_trace_event(type, loop, subject, detail, value);
        return;
    } else {
        lose(buffer, time);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&buffer->busy, 0, __ATOMIC_RELAXED);
    if (changes_depth(type))
        note_depth(buffer, type, value, time);
    /* Another half has been filled. */
    if (__builtin_expect(((head ^ began) & buffer->capacity / 2) != 0, 0))
        ph_writer_wake();
}
