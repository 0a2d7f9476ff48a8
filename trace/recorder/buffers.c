/* The buffers that threads fill with events. */

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "recorder/events.h"
#include "recorder/memory.h"
#include "recorder/recorder.h"
#include "recorder/rest.h"
#include "recorder/sampler.h"
#include <phasor.h>

enum { SMALL_RING = 2048, LARGE_RINGS = 16 /* for the first so many threads */ };

static struct ph_buffer* buffers; /* all there are, newest first */
static unsigned buffer_count;
static uint64_t lost_without_buffer;
/* Nothing is allocated where it is looked at: glibc has room for those of libraries that are loaded
 * later, musl makes it when one is. */
#ifdef __GLIBC__
static __thread struct ph_buffer* own_buffer __attribute__((tls_model("initial-exec")));
#else
static __thread struct ph_buffer* own_buffer;
#endif

struct ph_buffer* ph_buffers(void) {
    return __atomic_load_n(&buffers, __ATOMIC_ACQUIRE);
}

struct ph_buffer* ph_own_buffer(void) {
    return own_buffer;
}

void ph_buffer_is_flushed(bool flushed) {
    if (own_buffer == NULL)
        return;
    own_buffer->open_count = 0;
    __atomic_store_n(&own_buffer->is_flushed, flushed, __ATOMIC_RELEASE);
}

static struct ph_buffer* claim_free_buffer(int tid) {
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next) {
        int nobody = 0;
        if (ph_buffer_owner(buffer) == 0 &&
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
    buffer->full = buffer->capacity = capacity;
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
        buffer->open_count = 0;
        __atomic_store_n(&buffer->is_flushed, false, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->since, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&buffer->beyond, false, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->isolate, NULL, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->interpreter, NULL, __ATOMIC_RELAXED);
        __atomic_store_n(&buffer->lua, NULL, __ATOMIC_RELAXED);
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
            __atomic_store_n(&buffer->is_retired, true, __ATOMIC_RELAXED);
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
        *buffer = (struct ph_buffer){.full = buffer->capacity, .capacity = buffer->capacity};
        buffer_count++;
        push(buffer);
    }
    own_buffer = NULL;
}

/* Never before the thread's last event: a look at the kernel's clock may correct the time. What
 * ends is told with its beginning: that the last event was inside is seen from its time. */
static uint64_t now(struct ph_buffer* buffer, bool ends) {
    uint64_t time = ph_event_clock_now(&buffer->clock), least = buffer->latest + ends;
    return time > least ? time : least;
}

static struct ph_record* slot(struct ph_buffer* buffer, uint64_t head) {
    return &buffer->records[head & (buffer->capacity - 1)];
}

static void put(struct ph_buffer* buffer, const struct ph_record* record) {
    *slot(buffer, buffer->head) = *record;
    __atomic_store_n(&buffer->head, buffer->head + 1, __ATOMIC_RELEASE);
}

/* How many records find room, after a look at what the writer has taken. */
static uint64_t room(struct ph_buffer* buffer) {
    buffer->full = __atomic_load_n(&buffer->tail, __ATOMIC_ACQUIRE) + buffer->capacity;
    return buffer->full - buffer->head;
}

static bool is_account_due(const struct ph_buffer* buffer, uint64_t time) {
    return time - buffer->latest >= PH_ACCOUNT_NS || time - buffer->accounted >= PH_ACCOUNT_MOST_NS;
}

/* For the sampler: what the thread is in, and since when. What the pool runs keeps no loop waiting.
 * Whether the thread is in nothing any more. */
static bool note_depth(struct ph_buffer* buffer, enum ph_trace_type type, uint32_t value,
                       uint64_t time) {
    bool is_span = type == PH_EV_SPAN_BEGIN || type == PH_EV_SPAN_END;
    if (is_span ? value == PHASOR_SPAN_MARK : type == PH_EV_CALLBACK_BEGIN && value == PH_CB_WORK)
        return false;
    if (type == PH_EV_CALLBACK_BEGIN || type == PH_EV_SPAN_BEGIN) {
        if (buffer->depth++ == 0) {
            __atomic_store_n(&buffer->since, time, __ATOMIC_RELEASE);
            __atomic_store_n(&buffer->outside, false, __ATOMIC_RELAXED);
        }
    } else if (buffer->depth == 0 || --buffer->depth == 0) {
        __atomic_store_n(&buffer->since, 0, __ATOMIC_RELEASE);
        return true;
    }
    return false;
}

static bool changes_depth(enum ph_trace_type type) {
    return type == PH_EV_CALLBACK_BEGIN || type == PH_EV_CALLBACK_END || type == PH_EV_SPAN_BEGIN ||
           type == PH_EV_SPAN_END;
}

/* Too deep: what is outside tells of its end itself. */
static void note_open(struct ph_buffer* buffer, uint64_t index) {
    if (buffer->open_count == PH_MOST_OPEN)
        buffer->open_count = 0;
    if (!buffer->is_flushed)
        buffer->open[buffer->open_count++] = (uint32_t)index;
}

/* Whether the record of what ends tells it. After an end that does not match nothing is sure. Where
 * something was told with the end's time, the end comes after that. */
static bool fill_in(struct ph_buffer* buffer, uint64_t head, enum ph_trace_type type,
                    uint32_t value, uint64_t time) {
    if (buffer->open_count == 0)
        return false;
    uint32_t index = buffer->open[--buffer->open_count];
    struct ph_record* record = slot(buffer, index);
    uint64_t took = time - record->time;
    if (buffer->head != head || (uint32_t)head - index > ph_buffer_reach(buffer) ||
        took >= PH_TOLD_AT_ONCE_NS)
        return false;
    if (record->type != type - 1 || (type == PH_EV_SPAN_END && record->value != value)) {
        buffer->open_count = 0;
        return false;
    }
    if (type == PH_EV_WAIT_END)
        record->detail = value;
    __atomic_store_n(&record->type, record->type | (uint32_t)took << PH_TOOK_SHIFT,
                     __ATOMIC_RELEASE);
    return true;
}

/* With the time of the event before which it is told. */
static void account(struct ph_buffer* buffer, enum ph_trace_type next, uint64_t time) {
    struct ph_record record = {.time = time, .type = PH_EV_ACCOUNT};
    uint64_t silent = time - buffer->latest;
    uint64_t slept = next == PH_EV_WAIT_END ? silent : 0;
    int err = errno;
    /* Something took long: it is known exactly why. */
    if (slept == 0 && silent >= PH_ACCOUNT_NS)
        buffer->asked_kernel = 0;
    if (ph_account_own(buffer, record.time, slept, &record.detail, &record.value))
        put(buffer, &record);
    errno = err;
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

/* What has to be said before the next event, in which case a silence may be over. */
static __attribute__((noinline)) void tell_before(struct ph_buffer* buffer, enum ph_trace_type next,
                                                  uint64_t time) {
    if (ph_somebody_rests())
        ph_wake_one();
    if (room(buffer) > 1 && __atomic_load_n(&buffer->lost, __ATOMIC_RELAXED) != 0) {
        struct ph_record gap = ph_buffer_gap(buffer, time);
        put(buffer, &gap);
    }
    if (room(buffer) > 1 && is_account_due(buffer, time))
        account(buffer, next, time);
}

static __attribute__((noinline)) bool is_full(struct ph_buffer* buffer) {
    return room(buffer) == 0;
}

static void put_or_lose(struct ph_buffer* buffer, const struct ph_record* record) {
    uint64_t head = buffer->head;
    if (__builtin_expect(head == buffer->full, 0) && is_full(buffer)) {
        buffer->open_count = 0;
        lose(buffer, record->time);
        return;
    }
    put(buffer, record);
    if (ph_trace_begins(record->type))
        note_open(buffer, head);
}

struct ph_buffer* ph_buffer_here(void) {
    struct ph_buffer* buffer = own_buffer;
    bool is_good = buffer != NULL && !__atomic_load_n(&buffer->is_retired, __ATOMIC_RELAXED);
    return is_good ? buffer : buffer_for_this_thread();
}

/* An event that comes in while the thread is here, from a signal handler, is lost, and counted.
 * Once `busy` is 0, the thread may be seen to have ended, and another one may get the buffer. */
void ph_trace_event(enum ph_trace_type type, const void* loop, const void* subject, uint64_t detail,
                    uint32_t value) {
    struct ph_buffer* buffer = own_buffer;
    if (!ph_trace_on())
        return;
    if (__builtin_expect(buffer == NULL || __atomic_load_n(&buffer->is_retired, __ATOMIC_RELAXED),
                         0) &&
        (buffer = buffer_for_this_thread()) == NULL)
        return;
    if (__builtin_expect(__atomic_load_n(&buffer->busy, __ATOMIC_RELAXED), 0)) {
        lose(buffer, buffer->latest);
        return;
    }
    __atomic_store_n(&buffer->busy, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool ends = ph_trace_ends(type);
    uint64_t began = buffer->head, time = now(buffer, ends);
    if (__builtin_expect(__atomic_load_n(&buffer->lost, __ATOMIC_RELAXED) != 0 ||
                             is_account_due(buffer, time),
                         0))
        tell_before(buffer, type, time);
    buffer->latest = time;
    if (!ends || !fill_in(buffer, began, type, value, time)) {
        struct ph_record record = {time, (uintptr_t)loop, (uintptr_t)subject, detail, value, type};
        put_or_lose(buffer, &record);
    }
    bool is_outside =
        __builtin_expect(changes_depth(type), 1) && note_depth(buffer, type, value, time);
    bool fills_a_half = ((buffer->head ^ began) & buffer->capacity / 2) != 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&buffer->busy, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (is_outside && __atomic_load_n(&buffer->asking, __ATOMIC_RELAXED))
        ph_sampler_wait(buffer);
    if (__builtin_expect(fills_a_half, 0))
        ph_writer_wake();
}
