/*
 * long FILE EVENTS [SECONDS [SLOWER]]: writes a recording of about so many events, as a busy server
 * would leave it: a loop that turns, reads and answers, a timer, and requests to a pool of four
 * threads. Each tenth second has one callback that takes 20 ms more than the one before it, so that
 * the outliers are known. The timer's callback takes SLOWER ns more. Prints how many turns and
 * callbacks there are.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/format.h"

enum { ROOM = 64 << 10, LARGEST_EVENT = 64, POOL = 4, MAIN_THREAD = 1000 };

#define SECOND UINT64_C(1000000000)

/* Events of one thread that are not written yet. */
struct lane {
    unsigned char data[ROOM];
    size_t size;
    uint64_t time, loop, subject, detail[PH_EV_COUNT];
    int tid;
    const char* name;
};

static FILE* out;
static uint64_t sequence, events;
static struct lane lanes[1 + POOL];

static bool is_old;  /* the version before */
static bool at_once; /* what is short is told with its end */

static void put_number(struct lane* lane, uint64_t value) {
    while (value >= 0x80) {
        lane->data[lane->size++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    lane->data[lane->size++] = (unsigned char)value;
}

static void put_delta(struct lane* lane, uint64_t value, uint64_t* last) {
    int64_t delta = (int64_t)(value - *last);
    put_number(lane, (uint64_t)delta << 1 ^ (uint64_t)(delta >> 63));
    *last = value;
}

static void write_block(unsigned kind, const void* data, size_t size) {
    uint32_t sum = is_old ? ph_trace_old_checksum(data, size) : ph_trace_checksum(data, size);
    struct ph_trace_block block = {PH_TRACE_BLOCK_MAGIC, kind, (uint32_t)size, sum, ++sequence};
    fwrite(&block, sizeof(block), 1, out);
    fwrite(data, size, 1, out);
}

static void flush(struct lane* lane) {
    if (lane->size > 0)
        write_block(PH_BLOCK_EVENTS, lane->data, lane->size);
    lane->size = 0;
}

/* `took` is 0 where the end is told for itself; of a wait, its end's value comes with it. */
static void put_span(struct lane* lane, uint64_t time, unsigned type, uint64_t subject,
                     uint64_t detail, uint32_t value, uint64_t took) {
    unsigned fields = ph_trace_fields(type);
    bool whole = at_once && took > 0 && took < PH_TOLD_AT_ONCE_NS;
    if (lane->size + LARGEST_EVENT > ROOM)
        flush(lane);
    if (lane->size == 0) {
        put_number(lane, (uint64_t)lane->tid);
        put_number(lane, strlen(lane->name));
        memcpy(lane->data + lane->size, lane->name, strlen(lane->name));
        lane->size += strlen(lane->name);
        put_number(lane, time);
        lane->time = time;
        lane->loop = lane->subject = 0;
        memset(lane->detail, 0, sizeof(lane->detail));
    }
    lane->data[lane->size++] = (unsigned char)(whole ? type | PH_AT_ONCE : type);
    put_number(lane, time - lane->time);
    lane->time = time;
    if (whole) {
        put_number(lane, took);
        fields |= type == PH_EV_WAIT_BEGIN ? PH_HAS_DETAIL : 0;
    }
    if (fields & PH_HAS_LOOP)
        put_delta(lane, 0x1000, &lane->loop);
    if (fields & PH_HAS_SUBJECT)
        put_delta(lane, subject, &lane->subject);
    if (fields & PH_HAS_DETAIL)
        put_delta(lane, detail, &lane->detail[type]);
    if (fields & PH_HAS_VALUE)
        put_number(lane, value);
    events += whole ? 2 : 1;
}

static void put(struct lane* lane, uint64_t time, unsigned type, uint64_t subject, uint64_t detail,
                uint32_t value) {
    put_span(lane, time, type, subject, detail, value, 0);
}

static void put_end(struct lane* lane, uint64_t time, unsigned type, uint64_t subject,
                    uint32_t value, uint64_t took) {
    if (!at_once || took >= PH_TOLD_AT_ONCE_NS)
        put(lane, time, type, subject, 0, value);
}

static uint64_t turns, callbacks, slower;

static uint64_t call(uint64_t time, unsigned kind, uint64_t subject, uint64_t function,
                     uint64_t taken) {
    put_span(&lanes[0], time, PH_EV_CALLBACK_BEGIN, subject, function, kind, taken);
    put_end(&lanes[0], time + taken, PH_EV_CALLBACK_END, 0, 0, taken);
    callbacks++;
    return time + taken + 100;
}

/* A request of the turn before is called back, the next one is submitted and runs meanwhile. */
static uint64_t use_pool(uint64_t time) {
    struct lane* worker = &lanes[1 + turns / 4 % POOL];
    uint64_t request = 0x100000 + turns % 64 * 0x200;
    put(&lanes[0], time, PH_EV_REQUEST, request, 0, 7);
    put(&lanes[0], time + 50, PH_EV_WORK_SUBMIT, request + 64, 0, 0);
    put_span(worker, time + 2000, PH_EV_WORK_BEGIN, request + 64, 0, 0, 3100);
    put_span(worker, time + 2100, PH_EV_CALLBACK_BEGIN, request, 0x7000, PH_CB_WORK, 2900);
    put_end(worker, time + 5000, PH_EV_CALLBACK_END, 0, 0, 2900);
    put_end(worker, time + 5100, PH_EV_WORK_END, request + 64, 0, 3100);
    return call(time + 6000, PH_CB_AFTER_WORK, request, 0x7100, 800);
}

/* What is over at the end of it: ns. */
static uint64_t turn(uint64_t time, uint64_t sleep, uint64_t block) {
    struct lane* loop = &lanes[0];
    put(loop, time, PH_EV_ITERATION_BEGIN, 0, turns, 0);
    for (unsigned phase = PH_PHASE_TIMERS; phase < PH_PHASE_COUNT; phase++) {
        put(loop, time += 20, PH_EV_PHASE, 0, 0, phase);
        if (phase == PH_PHASE_TIMERS && turns % 16 == 0)
            time = call(time, PH_CB_TIMER, 0x2000, 0x5000, 1500 + turns % 700 + slower);
        if (phase != PH_PHASE_POLL)
            continue;
        put_span(loop, time += 20, PH_EV_WAIT_BEGIN, 0, 2, UINT32_MAX, sleep);
        put_end(loop, time += sleep, PH_EV_WAIT_END, 0, 2, sleep);
        time = call(time + 100, PH_CB_READ, 0x3000, 0x5100, 3000 + turns * 7 % 4000 + block);
        time = call(time, PH_CB_READ, 0x3100, 0x5100, 3000 + turns * 13 % 5000);
        if (turns % 4 == 0)
            time = use_pool(time);
    }
    put(loop, time += 50, PH_EV_ITERATION_END, 0, 0, 0);
    turns++;
    return time;
}

static void open_objects(void) {
    static const struct {
        uint64_t address;
        uint32_t type;
    } handles[] = {{0x2000, 13}, {0x3000, 12}, {0x3100, 12}};
    put(&lanes[0], SECOND, PH_EV_LOOP_OPEN, 0, 0, 0);
    for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
        put(&lanes[0], SECOND, PH_EV_HANDLE_OPEN, handles[i].address, 0, handles[i].type);
}

static void write_events(uint64_t wanted, uint64_t seconds) {
    /* A turn has about 22 events: so long may it take. */
    uint64_t length = seconds * SECOND / (wanted / 22 + 1), time = SECOND, blocks = 0;
    uint64_t sleep = length > 14000 ? length - 14000 : 0;
    open_objects();
    while (events < wanted) {
        uint64_t block = 0;
        if ((time - SECOND) / (10 * SECOND) >= blocks)
            block = 20000000 * ++blocks;
        time = turn(time, sleep, block);
    }
    for (size_t i = 0; i < 1 + POOL; i++)
        flush(&lanes[i]);
}

int main(int argc, char** argv) {
    static const char info[] = "argument=server\nargument=--long\nfolder=/\n";
    struct ph_trace_header header = {.magic = PH_TRACE_MAGIC,
                                     .version = PH_TRACE_VERSION,
                                     .header_size = sizeof(header),
                                     .data_offset = sizeof(header),
                                     .clock = SECOND,
                                     .wall_clock = 1700000000 * SECOND,
                                     .pid = MAIN_THREAD,
                                     .status = PH_TRACE_COMPLETE};
    out = argc > 2 ? fopen(argv[1], "w+e") : NULL;
    if (out == NULL) {
        fprintf(stderr, "Usage: long FILE EVENTS [SECONDS [SLOWER [old|at-once]]]\n");
        return 2;
    }
    is_old = argc > 5 && strcmp(argv[5], "old") == 0;
    at_once = argc > 5 && strcmp(argv[5], "at-once") == 0;
    header.version = is_old ? PH_TRACE_OLDEST : PH_TRACE_VERSION;
    for (int i = 0; i < 1 + POOL; i++) {
        lanes[i].tid = MAIN_THREAD + i;
        lanes[i].name = i == 0 ? "server" : "libuv-worker";
    }
    slower = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
    fwrite(&header, sizeof(header), 1, out);
    write_block(PH_BLOCK_INFO, info, sizeof(info) - 1);
    write_events(strtoull(argv[2], NULL, 10), argc > 3 ? strtoull(argv[3], NULL, 10) : 60);
    printf("%" PRIu64 " events, %" PRIu64 " turns, %" PRIu64 " callbacks\n", events, turns,
           callbacks);
    return fclose(out) != 0;
}
