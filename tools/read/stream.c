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
    *event = (struct trace_event){.thread = decoder->thread, .type = *from->at++};
    unsigned fields = ph_trace_fields(event->type);
    event->time = decoder->time += get_varint(from);
    if (event->type == PH_EV_NONE || event->type >= PH_EV_COUNT) {
        from->bad = true;
        return false;
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

/* A thread that has events left. */
struct lane {
    struct trace_event event; /* the next one, once its block is loaded */
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

/* Goes on to the lane's next event. */
static bool advance(struct lane* lane) {
    if (!decoder_next(&lane->decoder, &lane->event))
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
    if (data == NULL)
        return false;
    if (block->size >= lane->room) {
        free(lane->data);
        lane->room = (size_t)block->size + 1;
        lane->data = must(malloc(lane->room));
    }
    memcpy(lane->data, data, block->size);
    decoder_begin(&lane->decoder, lane->data, block->size, NULL);
    lane->decoder.thread = lane->thread;
    lane->loaded = true;
    return advance(lane);
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
        replace_top(stream, advance(top));
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
