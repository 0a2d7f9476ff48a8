/* A first look at all events: whose they are, how many, from when to when, and where some are
 * missing. */

#include "read/map.h"
#include "read/memory.h"
#include "read/stream.h"

enum { MOST_THREADS = 65535, MOST_GAPS = 1 << 20 };

struct scan {
    struct trace_file* file;
    struct map threads; /* by id and name: the thread, + 1 */
    uint64_t* last;     /* by thread: when it was heard of */
    size_t last_count;
};

/* When there are too many, the first one stands for the rest. */
static uint16_t find_thread(struct scan* scan, int tid, const char* name) {
    struct trace_file* file = scan->file;
    uint64_t key = (uint64_t)ph_trace_checksum(name, strlen(name)) << 32 | (uint32_t)tid;
    uint32_t known = map_get(&scan->threads, key);
    if (known != 0)
        return (uint16_t)(known - 1);
    if (file->thread_count == MOST_THREADS)
        return 0;
    map_put(&scan->threads, key, (uint32_t)file->thread_count + 1);
    struct trace_thread* thread = APPEND(file->threads, file->thread_count);
    thread->tid = tid;
    snprintf(thread->name, sizeof(thread->name), "%s", name);
    APPEND(scan->last, scan->last_count);
    return (uint16_t)(file->thread_count - 1);
}

/* What there is no room for is added to the last one. */
static void add_gap(struct trace_file* file, uint64_t from, uint64_t to) {
    if (file->gap_count < MOST_GAPS)
        *APPEND(file->gaps, file->gap_count) = (struct trace_gap){from, to};
    else if (to > file->gaps[file->gap_count - 1].to)
        file->gaps[file->gap_count - 1].to = to;
}

static void scan_block(struct scan* scan, struct trace_block* block) {
    struct trace_file* file = scan->file;
    const unsigned char* data = trace_file_payload(file, block);
    struct decoder decoder;
    struct trace_event event;
    char name[17];
    if (data == NULL)
        return;
    int tid = decoder_begin(&decoder, data, block->size, name);
    block->thread = decoder.thread = find_thread(scan, tid, name);
    block->time = decoder.time;
    uint64_t *last = &scan->last[block->thread], ended = 0;
    while (decoder_next(&decoder, &event)) {
        file->event_count += event.took != 0 ? 2 : 1;
        uint64_t time = event.time > *last ? event.time : *last;
        time = time > block->time ? time : block->time;
        if (event.type == PH_EV_LOST)
            add_gap(file, *last, time);
        if (event.type == PH_EV_GAP)
            add_gap(file, time,
                    event.detail < UINT64_MAX - time ? time + event.detail : UINT64_MAX);
        if (time < file->first_time)
            file->first_time = time;
        *last = time;
        if (time + event.took > ended)
            ended = time + event.took;
    }
    if (ended > file->last_time)
        file->last_time = ended;
    if (*last > file->last_time)
        file->last_time = *last;
    if (decoder.from.bad)
        trace_file_problem(file, "a block of events is damaged: its rest was skipped");
}

static int compare_gaps(const void* a, const void* b) {
    const struct trace_gap *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

void trace_file_scan(struct trace_file* file) {
    struct scan scan = {.file = file};
    file->first_time = UINT64_MAX;
    for (size_t i = 0; i < file->block_count; i++)
        if (file->blocks[i].kind == PH_BLOCK_EVENTS)
            scan_block(&scan, &file->blocks[i]);
    if (file->event_count == 0)
        file->first_time = 0;
    if (file->gap_count > 1)
        qsort(file->gaps, file->gap_count, sizeof(*file->gaps), compare_gaps);
    for (size_t i = 1; i < file->gap_count; i++)
        if (file->gaps[i].to < file->gaps[i - 1].to)
            file->gaps[i].to = file->gaps[i - 1].to;
    free(scan.threads.slots);
    free(scan.last);
}

bool trace_file_has_gap(const struct trace_file* file, uint64_t from, uint64_t to) {
    size_t low = 0, high = file->gap_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->gaps[middle].from < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && file->gaps[low - 1].to > from;
}
