#include "recorder/blocks.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "recorder/encode.h"
#include "recorder/file.h"
#include "recorder/memory.h"
#include "recorder/sampler.h"
#include "recorder/services.h"

enum {
    MOST_BLOCK = 64 << 10, /* of events; names come in a block of at most the same size */
    MOST_NAME = 1100,
    RECENT_NAMES = 16, /* known to be written: a power of two */
    SILENT_NS = 50000000,
    SURELY_OPEN_NS = PH_TOLD_AT_ONCE_NS + 4000000
};

static struct {
    int error;
    struct ph_trace_file file;
    size_t block_size;
    unsigned char* events; /* MOST_BLOCK bytes */
    unsigned char* names;
    size_t names_size;
    uint64_t maps_generation;
    uint64_t
        maps_segment; /* the segment that has the current maps; 0: they are before all segments */
} blocks = {.file.fd = -1};

static uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void note_error(int error) {
    blocks.error = error;
    if (error == 0)
        return;
    ph_recorder_failed();
    ph_file_failed(&blocks.file, error);
}

static void write_block(enum ph_trace_block_kind kind, const void* data, size_t size) {
    if (blocks.error == 0)
        note_error(ph_file_write_block(&blocks.file, kind, data, size));
}

static void write_text(enum ph_trace_block_kind kind, void (*fill)(struct ph_text* text)) {
    struct ph_text text = {0};
    uint64_t segment_size = blocks.file.header.segment_size;
    fill(&text);
    size_t needed = text.size + sizeof(struct ph_trace_block);
    if (!text.failed && (segment_size == 0 || needed <= segment_size)) {
        ph_file_need_room(&blocks.file, needed);
        write_block(kind, text.data, text.size);
    }
    ph_text_free(&text);
}

static void write_maps(void) {
    blocks.maps_generation = ph_snapshot_generation();
    write_text(PH_BLOCK_MAPS, ph_snapshot_maps);
    write_text(PH_BLOCK_BUILDS, ph_snapshot_builds);
}

/* New libraries have been loaded, or the segment that told of them will be overwritten soon. */
void ph_blocks_refresh_maps(void) {
    bool is_old =
        blocks.maps_segment != 0 && blocks.file.segment - blocks.maps_segment >= PH_SEGMENTS - 1;
    if (ph_snapshot_generation() == blocks.maps_generation && !is_old)
        return;
    write_maps();
    blocks.maps_segment = blocks.file.segment;
}

/* Events */

/* Both blocks go to the same segment: the room for them is there before anything is encoded. */
static void write_blocks(const struct ph_encoder* encoder) {
    if (blocks.names_size > 0)
        write_block(PH_BLOCK_NAMES, blocks.names, blocks.names_size);
    blocks.names_size = 0;
    if (blocks.error == 0)
        note_error(
            ph_file_write_block(&blocks.file, PH_BLOCK_EVENTS, blocks.events, encoder->size));
}

static const struct ph_record* record_at(const struct ph_buffer* buffer, uint64_t index) {
    return &buffer->records[index & (buffer->capacity - 1)];
}

/*
 * Where the first record is that its thread may still fill in; `head`: none is. Out of reach, it
 * never will. Nor if it is old: a thread that is about to has been busy since before it was.
 */
static uint64_t find_unsettled(const struct ph_buffer* buffer, uint64_t head, uint64_t now) {
    for (uint64_t i = buffer->tail; i != head; i++) {
        const struct ph_record* record = record_at(buffer, i);
        if (!ph_trace_begins(ph_record_type(record)) || head - i > ph_buffer_reach(buffer))
            continue;
        if (now < record->time + SURELY_OPEN_NS || __atomic_load_n(&buffer->busy, __ATOMIC_ACQUIRE))
            return i;
    }
    return head;
}

/* The taken events are gone even if they could not be written. */
static void write_some(struct ph_buffer* buffer, uint64_t head) {
    uint64_t tail = buffer->tail, written[RECENT_NAMES] = {0};
    const struct ph_record* record = record_at(buffer, tail);
    struct ph_encoder encoder;
    ph_file_need_room(&blocks.file, 2 * (blocks.block_size + sizeof(struct ph_trace_block)));
    ph_encode_begin(&encoder, blocks.events, buffer, record->time);
    while (tail != head && encoder.size + PH_MOST_EVENT <= blocks.block_size &&
           blocks.names_size + MOST_NAME <= blocks.block_size) {
        record = record_at(buffer, tail++);
        uint64_t name = record->detail;
        if (ph_uses_name(record) && written[name % RECENT_NAMES] != name) {
            written[name % RECENT_NAMES] = name;
            blocks.names_size += ph_name_encode(
                (unsigned)name, blocks.file.header.clock + blocks.file.segment,
                blocks.names + blocks.names_size, blocks.block_size - blocks.names_size);
        }
        ph_encode(&encoder, record);
    }
    write_blocks(&encoder);
    buffer->last_time = ph_record_end(record);
    buffer->last_type = ph_record_type(record);
    ph_memory_note_file(&blocks.file);
    __atomic_store_n(&buffer->tail, tail, __ATOMIC_RELEASE);
}

static void write_until(struct ph_buffer* buffer, uint64_t head) {
    while (buffer->tail != head)
        write_some(buffer, head);
}

void ph_blocks_empty(struct ph_buffer* buffer) {
    write_until(buffer, __atomic_load_n(&buffer->head, __ATOMIC_ACQUIRE));
}

static void write_alone(const struct ph_buffer* buffer, const struct ph_record* record) {
    ph_file_need_room(&blocks.file, 2 * (blocks.block_size + sizeof(struct ph_trace_block)));
    struct ph_encoder encoder;
    ph_encode_begin(&encoder, blocks.events, buffer, record->time);
    ph_encode(&encoder, record);
    write_blocks(&encoder);
}

/* What was lost at the very end has no later event of its thread that would tell of it. */
void ph_blocks_last_loss(struct ph_buffer* buffer) {
    if (__atomic_load_n(&buffer->lost, __ATOMIC_RELAXED) == 0)
        return;
    struct ph_record gap = ph_buffer_gap(buffer, clock_now());
    write_alone(buffer, &gap);
}

/* After these a thread may be silent for long and have nothing to do. */
static bool may_rest_after(uint32_t type) {
    bool has_worked = (type & PH_TYPE) == PH_EV_WORK_BEGIN && type >> PH_TOOK_SHIFT != 0;
    return has_worked || type == PH_EV_NONE || type == PH_EV_WAIT_BEGIN || type == PH_EV_WORK_END ||
           type == PH_EV_SEND || type == PH_EV_WAKE || type == PH_EV_GAP ||
           type == PH_EV_LOOP_CLOSE;
}

/* A thread that is inside of something and says nothing: whether it runs has to be said for it. If
 * it speaks meanwhile, it says so itself. */
static void account_for_silent(struct ph_buffer* buffer) {
    struct ph_record record = {.time = clock_now(), .type = PH_EV_ACCOUNT};
    uint64_t head = __atomic_load_n(&buffer->head, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&buffer->owner, __ATOMIC_ACQUIRE) == 0 || head != buffer->tail ||
        may_rest_after(buffer->last_type) || record.time < buffer->last_time + SILENT_NS)
        return;
    if (!ph_account_read(buffer, &record.detail, &record.value) ||
        __atomic_load_n(&buffer->busy, __ATOMIC_RELAXED) ||
        __atomic_load_n(&buffer->head, __ATOMIC_ACQUIRE) != head)
        return;
    write_alone(buffer, &record);
}

bool ph_blocks_may_rest(void) {
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        if (ph_buffer_owner(buffer) != 0 &&
            (__atomic_load_n(&buffer->head, __ATOMIC_RELAXED) != buffer->tail ||
             !may_rest_after(buffer->last_type)))
            return false;
    return true;
}

static void write_stack(const void* data, size_t size) {
    size_t needed = size + sizeof(struct ph_trace_block);
    uint64_t segment_size = blocks.file.header.segment_size;
    if (segment_size != 0 && needed > segment_size / 2)
        return;
    ph_file_need_room(&blocks.file, needed);
    write_block(PH_BLOCK_STACK, data, size);
}

void ph_blocks_write_out(bool all) {
    uint64_t now = clock_now();
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next) {
        bool is_flushed = __atomic_load_n(&buffer->is_flushed, __ATOMIC_ACQUIRE);
        uint64_t head = __atomic_load_n(&buffer->head, __ATOMIC_ACQUIRE);
        write_until(buffer, all || is_flushed ? head : find_unsettled(buffer, head, now));
    }
    for (struct ph_buffer* buffer = ph_buffers(); buffer != NULL; buffer = buffer->next)
        account_for_silent(buffer);
    ph_sampler_write_out(write_stack);
    if (blocks.error == 0)
        ph_file_is_alive(&blocks.file);
    ph_memory_note_file(&blocks.file);
}

static size_t choose_block_size(void) {
    uint64_t segment = blocks.file.header.segment_size;
    return segment == 0 || segment / 4 > MOST_BLOCK ? MOST_BLOCK : (size_t)segment / 4;
}

static void free_memory(void) {
    ph_recorder_free(blocks.events);
    ph_recorder_free(blocks.names);
    blocks.events = blocks.names = NULL;
}

int ph_blocks_open(const char* path, uint64_t limit, bool never_replace) {
    free_memory();
    blocks.events = ph_recorder_malloc(MOST_BLOCK);
    blocks.names = ph_recorder_malloc(MOST_BLOCK);
    int err = blocks.events == NULL || blocks.names == NULL ? -ENOMEM : 0;
    if (err == 0)
        err = ph_file_open(&blocks.file, path, limit, never_replace);
    if (err != 0) {
        free_memory();
        return err;
    }
    blocks.error = 0;
    blocks.names_size = 0;
    blocks.maps_segment = 0;
    write_text(PH_BLOCK_INFO, ph_snapshot_info);
    write_maps();
    if (blocks.error == 0)
        blocks.error = ph_file_begin_segments(&blocks.file);
    blocks.block_size = choose_block_size();
    ph_memory_note_file(&blocks.file);
    return blocks.error == 0 ? 0 : ph_blocks_close(blocks.error);
}

int ph_blocks_close(int error) {
    if (blocks.error == 0)
        blocks.error = error;
    ph_file_close(&blocks.file, blocks.error != 0 ? PH_TRACE_FAILED : PH_TRACE_COMPLETE,
                  blocks.error);
    free_memory();
    return blocks.error;
}

void ph_blocks_let_go(void) {
    ph_file_let_go(&blocks.file);
}

const char* ph_writer_path(void) {
    return blocks.file.path;
}
