#include "read/stream.h"

#include "read/memory.h"
#include "read/turns.h"

int decoder_begin(struct decoder* decoder, const unsigned char* data, size_t size, char name[17]) {
    *decoder = (struct decoder){.from = {data, data + size, false}};
    int tid = (int)get_varint(&decoder->from);
    uint64_t length = get_varint(&decoder->from);
    const unsigned char* text = get_bytes(&decoder->from, length);
    if (name != NULL)
        snprintf(name, 17, "%.*s", text != NULL ? (int)(length < 16 ? length : 16) : 0,
                 text != NULL ? (const char*)text : "");
    decoder->time = get_varint(&decoder->from);
    return tid;
}

bool decoder_next(struct decoder* decoder, struct trace_event* event) {
    struct cursor* from = &decoder->from;
    if (from->at == from->end)
        return false;
    unsigned char type = *from->at++;
    bool at_once = type & PH_AT_ONCE;
    *event = (struct trace_event){.thread = decoder->thread, .type = type & ~PH_AT_ONCE};
    unsigned fields = ph_trace_fields(event->type);
    event->time = decoder->time += get_varint(from);
    if (event->type == PH_EV_NONE || event->type >= PH_EV_COUNT ||
        (at_once && !ph_trace_begins(event->type))) {
        from->bad = true;
        return false;
    }
    if (at_once) {
        event->took = get_varint(from) % PH_TOLD_AT_ONCE_NS;
        fields |= event->type == PH_EV_WAIT_BEGIN ? PH_HAS_DETAIL : 0;
    }
    if (fields & PH_HAS_LOOP)
        event->loop = get_delta(from, &decoder->loop);
    if (fields & PH_HAS_SUBJECT)
        event->subject = get_delta(from, &decoder->subject);
    if (fields & PH_HAS_DETAIL)
        event->detail = get_delta(from, &decoder->details[event->type]);
    if (fields & PH_HAS_VALUE)
        event->value = (uint32_t)get_varint(from);
    return !from->bad;
}

/* Merging */

enum { MOST_OPEN = 16 };

/* A thread that has events left. */
struct lane {
    struct trace_event event;           /* the next one, once its block is loaded */
    struct trace_event read;            /* the next one of the block, if there is one */
    struct trace_event ends[MOST_OPEN]; /* of what was told at once, the innermost last */
    unsigned end_count;
    bool has_read;
    struct decoder decoder;
    unsigned char* data;
    size_t room;
    const uint32_t* blocks; /* that follow */
    size_t block_count;
    uint64_t time; /* of the next event */
    uint64_t sequence;
    uint16_t thread;
    bool loaded;
};

struct trace_stream {
    struct trace_file* file;
    uint32_t* blocks; /* of events, by thread and then by sequence */
    struct lane* lanes;
    struct lane** heap; /* the earliest first; of equals, the one whose block was written first */
    size_t heap_count;
    struct turns* turns; /* of each thread */
    struct trace_event events[MOST_IMPLIED];
    unsigned count; /* of them, and how many have been given */
    unsigned given;
};

static bool is_before(const struct lane* a, const struct lane* b) {
    return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static void sift_down(struct trace_stream* stream, size_t at) {
    struct lane** heap = stream->heap;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= stream->heap_count)
            return;
        if (child + 1 < stream->heap_count && is_before(heap[child + 1], heap[child]))
            child++;
        if (!is_before(heap[child], heap[at]))
            return;
        struct lane* swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
        at = child;
    }
}

/* The lane waits for its next block, which is loaded when it is its turn. False: there is none. */
static bool expect_block(struct trace_stream* stream, struct lane* lane) {
    lane->loaded = false;
    if (lane->block_count == 0)
        return false;
    const struct trace_block* block = &stream->file->blocks[*lane->blocks];
    if (block->time > lane->time)
        lane->time = block->time;
    lane->sequence = block->sequence;
    return true;
}

/* Where events are missing, nothing ends for sure. What is inside ends first. */
static void note_end(struct lane* lane, const struct trace_event* event) {
    if (event->type == PH_EV_GAP || event->type == PH_EV_LOST)
        lane->end_count = 0;
    if (event->took == 0 || lane->end_count == MOST_OPEN)
        return;
    struct trace_event end = {
        .time = event->time + event->took, .thread = event->thread, .type = event->type + 1};
    if (lane->end_count > 0 && end.time > lane->ends[lane->end_count - 1].time)
        end.time = lane->ends[lane->end_count - 1].time;
    if (event->type == PH_EV_WAIT_BEGIN)
        end.loop = event->loop;
    else if (event->type == PH_EV_WORK_BEGIN)
        end.subject = event->subject;
    if (event->type == PH_EV_WAIT_BEGIN || event->type == PH_EV_SPAN_BEGIN)
        end.value = event->type == PH_EV_WAIT_BEGIN ? (uint32_t)event->detail : event->value;
    lane->ends[lane->end_count++] = end;
}

/* The block's next event, or the end of what was told at once, if that comes first; false: the next
 * block has to be looked at. */
static bool choose(const struct trace_stream* stream, struct lane* lane) {
    uint64_t next = UINT64_MAX;
    if (!lane->has_read)
        lane->has_read = decoder_next(&lane->decoder, &lane->read);
    if (lane->has_read)
        next = lane->read.time;
    else if (lane->block_count > 0)
        next = stream->file->blocks[*lane->blocks].time;
    if (lane->end_count > 0 && lane->ends[lane->end_count - 1].time <= next) {
        lane->event = lane->ends[--lane->end_count];
        return true;
    }
    if (!lane->has_read)
        return false;
    lane->event = lane->read;
    lane->has_read = false;
    note_end(lane, &lane->event);
    return true;
}

/* Goes on to the lane's next event. */
static bool advance(const struct trace_stream* stream, struct lane* lane) {
    if (!choose(stream, lane))
        return false;
    if (lane->event.time > lane->time)
        lane->time = lane->event.time;
    lane->event.time = lane->time;
    return true;
}

static bool load_block(struct trace_stream* stream, struct lane* lane) {
    const struct trace_block* block = &stream->file->blocks[*lane->blocks++];
    const unsigned char* data = trace_file_payload(stream->file, block);
    lane->block_count--;
    lane->decoder = (struct decoder){0};
    lane->loaded = true;
    if (data == NULL)
        return advance(stream, lane);
    if (block->size >= lane->room) {
        free(lane->data);
        lane->room = (size_t)block->size + 1;
        lane->data = must(malloc(lane->room));
    }
    memcpy(lane->data, data, block->size);
    decoder_begin(&lane->decoder, lane->data, block->size, NULL);
    lane->decoder.thread = lane->thread;
    return advance(stream, lane);
}

/* The lane at the top has given its event, or its block. */
static void replace_top(struct trace_stream* stream, bool has_more) {
    struct lane* top = stream->heap[0];
    if (!has_more && !expect_block(stream, top)) {
        free(top->data);
        top->data = NULL;
        stream->heap[0] = stream->heap[--stream->heap_count];
    }
    sift_down(stream, 0);
}

const struct trace_event* trace_stream_next(struct trace_stream* stream) {
    if (stream->given < stream->count)
        return &stream->events[stream->given++];
    while (stream->heap_count > 0) {
        struct lane* top = stream->heap[0];
        if (!top->loaded) {
            bool good = load_block(stream, top);
            replace_top(stream, good);
            continue;
        }
        stream->count = turns_expand(&stream->turns[top->thread], &top->event, stream->events);
        stream->given = 1;
        replace_top(stream, advance(stream, top));
        return stream->events;
    }
    return NULL;
}

/* The blocks of each thread, behind those of the threads before it. */
static void sort_blocks(struct trace_stream* stream) {
    struct trace_file* file = stream->file;
    size_t count = 0;
    for (size_t i = 0; i < file->block_count; i++)
        if (file->blocks[i].kind == PH_BLOCK_EVENTS) {
            stream->lanes[file->blocks[i].thread].block_count++;
            count++;
        }
    stream->blocks = must(calloc(count + 1, sizeof(*stream->blocks)));
    uint32_t* at = stream->blocks;
    for (size_t i = 0; i < file->thread_count; i++) {
        stream->lanes[i].thread = (uint16_t)i;
        stream->lanes[i].blocks = at;
        at += stream->lanes[i].block_count;
        stream->lanes[i].block_count = 0;
    }
    for (size_t i = 0; i < file->block_count; i++)
        if (file->blocks[i].kind == PH_BLOCK_EVENTS) {
            struct lane* lane = &stream->lanes[file->blocks[i].thread];
            stream->blocks[(size_t)(lane->blocks - stream->blocks) + lane->block_count++] =
                (uint32_t)i;
        }
}

struct trace_stream* trace_stream_open(struct trace_file* file) {
    struct trace_stream* stream = must(calloc(1, sizeof(*stream)));
    stream->file = file;
    stream->lanes = must(calloc(file->thread_count + 1, sizeof(*stream->lanes)));
    stream->heap = must(calloc(file->thread_count + 1, sizeof(struct lane*)));
    stream->turns = must(calloc(file->thread_count + 1, sizeof(*stream->turns)));
    sort_blocks(stream);
    for (size_t i = 0; i < file->thread_count; i++)
        if (expect_block(stream, &stream->lanes[i]))
            stream->heap[stream->heap_count++] = &stream->lanes[i];
    for (size_t i = stream->heap_count / 2; i-- > 0;)
        sift_down(stream, i);
    return stream;
}

void trace_stream_close(struct trace_stream* stream) {
    for (size_t i = 0; i < stream->file->thread_count; i++)
        free(stream->lanes[i].data);
    free(stream->lanes);
    free(stream->heap);
    free(stream->turns);
    free(stream->blocks);
    free(stream);
}
