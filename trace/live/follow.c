#include "live/follow.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/memory.h"
#include "read/stream.h"
#include "recorder/file.h"

enum {
    MOST_PAYLOAD = 1 << 20,
    MOST_LOOPS = 4096,
    SETTLED_NS = 25000000 /* what is older than the file's last sign of life by this is in it */
};

/* Turns */

static struct followed_loop* find_loop(struct follow* follow, uint64_t address, int tid) {
    size_t of_thread = 0;
    for (size_t i = 0; i < follow->loop_count; i++) {
        if (follow->loops[i].address == address)
            return &follow->loops[i];
        of_thread += follow->loops[i].tid == tid;
    }
    if (follow->loop_count == MOST_LOOPS)
        return &follow->loops[MOST_LOOPS - 1];
    struct followed_loop* loop = APPEND(follow->loops, follow->loop_count);
    loop->address = address;
    loop->tid = tid;
    if ((uint32_t)tid == follow->header.pid && of_thread == 0)
        snprintf(loop->name, sizeof(loop->name), "main loop");
    else
        snprintf(loop->name, sizeof(loop->name), "loop %zu", follow->loop_count);
    return loop;
}

static void tell(struct follow* follow, struct followed_loop* loop, uint64_t to, uint64_t lag,
                 bool goes_on) {
    struct stall stall = {loop, loop->turn_began, to, lag, goes_on};
    loop->is_told = goes_on;
    if (follow->on_stall != NULL)
        follow->on_stall(follow->context, &stall);
}

static void add_time(struct metric_times* times, uint64_t time) {
    if (times->count == 0 || time < times->least)
        times->least = time;
    if (time > times->most)
        times->most = time;
    times->count++;
    times->sum += time;
    for (size_t i = METRIC_BOUNDS; i > 0 && time <= metric_bounds[i - 1]; i--)
        times->up_to[i - 1]++;
}

static void add_lag(struct follow* follow, struct followed_loop* loop, uint64_t lag) {
    double seconds = (double)lag / 1e9;
    loop->iterations++;
    add_time(&loop->lag, lag);
    histogram_add(&loop->recent[0], lag);
    loop->squares[0] += seconds * seconds;
    if (lag < follow->limit)
        return;
    loop->stalls++;
    loop->stalled += lag;
}

static void end_turn(struct follow* follow, struct followed_loop* loop, uint64_t time) {
    if (loop->turn_began == 0)
        return;
    if (loop->wait_began != 0 && time > loop->wait_began)
        loop->waited += time - loop->wait_began;
    uint64_t length = time > loop->turn_began ? time - loop->turn_began : 0;
    uint64_t lag = length > loop->waited ? length - loop->waited : 0;
    loop->active += lag;
    loop->idle += length - lag;
    loop->recent_active[0] += lag;
    loop->recent_idle[0] += length - lag;
    add_lag(follow, loop, lag);
    if (lag >= follow->limit)
        tell(follow, loop, time, lag, false);
    loop->turn_began = loop->waited = loop->wait_began = 0;
    loop->is_told = false;
}

/* What a program does between two calls of uv_run keeps its loop from turning, unless it waits
 * there: that turn is then taken to have begun where the last one ended. */
static void begin_turn(struct follow* follow, struct followed_loop* loop,
                       const struct trace_event* event) {
    end_turn(follow, loop, event->time);
    uint64_t outside = loop->run_ended;
    loop->may_wait = (event->value & PH_TURN_IS_EMBEDDED) != 0;
    loop->turn_began = outside != 0 && outside < event->time ? outside : event->time;
    loop->run_ended = 0;
}

static void on_event(struct follow* follow, const struct trace_event* event, int tid) {
    struct followed_loop* loop;
    switch (event->type) {
    case PH_EV_ITERATION_BEGIN:
        begin_turn(follow, find_loop(follow, event->loop, tid), event);
        break;
    case PH_EV_ITERATION_END:
        loop = find_loop(follow, event->loop, tid);
        end_turn(follow, loop, event->time);
        loop->run_ended = loop->may_wait ? 0 : event->time;
        break;
    case PH_EV_RUN_END:
    case PH_EV_LOOP_CLOSE:
        loop = find_loop(follow, event->loop, tid);
        end_turn(follow, loop, event->time);
        loop->run_ended = 0;
        break;
    case PH_EV_WAIT_BEGIN:
        loop = find_loop(follow, event->loop, tid);
        loop->waited += event->took;
        loop->wait_began = event->took == 0 ? event->time : 0;
        break;
    case PH_EV_WAIT_END:
        loop = find_loop(follow, event->loop, tid);
        if (loop->wait_began != 0)
            loop->waited += event->time - loop->wait_began;
        loop->wait_began = 0;
        break;
    case PH_EV_LOST:
    case PH_EV_GAP:
        /* The ends of turns may be among what is missing. */
        for (size_t i = 0; i < follow->loop_count; i++)
            if (follow->loops[i].tid == tid)
                follow->loops[i].turn_began = follow->loops[i].run_ended = 0;
        break;
    default:
        break;
    }
}

/* Blocks */

static bool read_at(const struct follow* follow, void* data, size_t size, uint64_t offset) {
    return pread(follow->fd, data, size, (off_t)offset) == (ssize_t)size;
}

/* The sequence of the block at the offset; 0: there is none. */
static uint64_t sequence_at(const struct follow* follow, uint64_t offset) {
    struct ph_trace_block head;
    return read_at(follow, &head, sizeof(head), offset) && head.magic == PH_TRACE_BLOCK_MAGIC
               ? head.sequence
               : 0;
}

/* The block at the offset, if it is the one that comes next, and sound. */
static bool read_block(struct follow* follow, uint64_t offset, struct ph_trace_block* head) {
    if (!read_at(follow, head, sizeof(*head), offset) || head->magic != PH_TRACE_BLOCK_MAGIC ||
        head->sequence != follow->sequence + 1 || head->size > MOST_PAYLOAD)
        return false;
    if (head->size > follow->room) {
        follow->room = head->size;
        follow->payload = must(realloc(follow->payload, follow->room));
    }
    return read_at(follow, follow->payload, head->size, offset + sizeof(*head)) &&
           ph_trace_checksum(follow->payload, head->size) == head->checksum;
}

static uint64_t segment_begin(const struct follow* follow, uint64_t segment) {
    return follow->header.data_offset + segment % PH_SEGMENTS * follow->header.segment_size;
}

/* Blocks go on in the next segment where one is full. */
static bool next_block(struct follow* follow, struct ph_trace_block* head) {
    uint64_t at = follow->offset;
    bool found = read_block(follow, at, head);
    if (!found && follow->header.segment_size != 0) {
        uint64_t next = follow->segment == UINT64_MAX ? 0 : follow->segment + 1;
        at = segment_begin(follow, next);
        found = read_block(follow, at, head);
        follow->segment = found ? next : follow->segment;
    }
    if (!found)
        return false;
    follow->offset = at + sizeof(*head) + head->size;
    follow->sequence = head->sequence;
    return true;
}

/* The writer has come round before this was read: on from the oldest segment that is newer. */
static bool catch_up(struct follow* follow) {
    uint64_t best = UINT64_MAX;
    if (follow->header.segment_size == 0)
        return false;
    for (uint64_t i = 0; i < PH_SEGMENTS; i++) {
        uint64_t sequence = sequence_at(follow, segment_begin(follow, i));
        if (sequence > follow->sequence + 1 && sequence - 1 < best) {
            best = sequence - 1;
            follow->segment = i;
        }
    }
    if (best == UINT64_MAX)
        return false;
    follow->missed++;
    follow->sequence = best;
    follow->offset = segment_begin(follow, follow->segment);
    for (size_t i = 0; i < follow->loop_count; i++)
        follow->loops[i].turn_began = follow->loops[i].run_ended = 0;
    return true;
}

static void read_events(struct follow* follow, size_t size) {
    struct decoder decoder;
    struct trace_event event;
    int tid = decoder_begin(&decoder, follow->payload, size, NULL);
    while (decoder_next(&decoder, &event))
        on_event(follow, &event, tid);
}

/* Time goes on */

static void forget_old(struct follow* follow, uint64_t now) {
    if (now < follow->recent_began + FOLLOW_RECENT_NS)
        return;
    follow->recent_began = now;
    for (size_t i = 0; i < follow->loop_count; i++) {
        struct followed_loop* loop = &follow->loops[i];
        histogram_free(&loop->recent[1]);
        loop->recent[1] = loop->recent[0];
        loop->recent[0] = (struct histogram){0};
        loop->squares[1] = loop->squares[0];
        loop->recent_active[1] = loop->recent_active[0];
        loop->recent_idle[1] = loop->recent_idle[0];
        loop->squares[0] = 0;
        loop->recent_active[0] = loop->recent_idle[0] = 0;
    }
}

/* Loops that are blocked now. `now` is until when the file is complete. */
static void look_for_blocked(struct follow* follow, uint64_t now) {
    for (size_t i = 0; i < follow->loop_count; i++) {
        struct followed_loop* loop = &follow->loops[i];
        uint64_t since = loop->turn_began + loop->waited;
        if (loop->turn_began == 0 || loop->wait_began != 0 || loop->is_told || now < since ||
            now - since < follow->told_limit)
            continue;
        tell(follow, loop, now, now - since, true);
    }
}

void follow_read(struct follow* follow) {
    struct ph_trace_header header;
    struct ph_trace_block head;
    /* First: what is older than its sign of life is in the blocks that are read after it. */
    if (!read_at(follow, &header, sizeof(header), 0))
        return;
    follow->header = header;
    do
        while (next_block(follow, &head))
            if (head.kind == PH_BLOCK_EVENTS)
                read_events(follow, head.size);
    while (catch_up(follow));
    forget_old(follow, header.ended);
    if (header.status != PH_TRACE_FAILED && header.ended > SETTLED_NS)
        look_for_blocked(follow, header.ended - SETTLED_NS);
}

bool follow_open(struct follow* follow, const char* path, uint64_t limit, uint64_t told_limit) {
    *follow = (struct follow){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW),
                              .segment = UINT64_MAX,
                              .limit = limit,
                              .told_limit = told_limit};
    struct ph_trace_header* header = &follow->header;
    /* Until the segments begin the header says nothing of them. */
    if (follow->fd != -1 && read_at(follow, header, sizeof(*header), 0) &&
        memcmp(header->magic, PH_TRACE_MAGIC, sizeof(header->magic)) == 0 &&
        header->version == PH_TRACE_VERSION && header->data_offset > sizeof(*header)) {
        follow->offset = header->header_size;
        return true;
    }
    follow_close(follow);
    return false;
}

void follow_close(struct follow* follow) {
    if (follow->fd != -1)
        close(follow->fd);
    for (size_t i = 0; i < follow->loop_count; i++) {
        histogram_free(&follow->loops[i].recent[0]);
        histogram_free(&follow->loops[i].recent[1]);
    }
    free(follow->loops);
    free(follow->payload);
    *follow = (struct follow){.fd = -1};
}

struct histogram follow_recent(const struct followed_loop* loop) {
    struct histogram both = {0};
    histogram_merge(&both, &loop->recent[0]);
    histogram_merge(&both, &loop->recent[1]);
    return both;
}
