/*
 * Any bytes as a trace file, as they are and with the checksums put right: reading says what is
 * wrong, what is read is consistent in itself, and every form of the report can be written, with
 * valid JSON in it. With libFuzzer, and recordings as examples:
 *   clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Itools -Isrc -Ilib/include \
 *       tests/fuzz/trace_file.c $(find trace/read -name "*.c" ! -name "*_dw.c") \
 *       $(find trace/report -name "*.c" ! -name page_none.c) build/viewer/page.c -ldw -ldl
 * Without it: fuzz.h.
 */

#include "fuzz.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "json.h"
#include "read/memory.h"
#include "report/report.h"

enum { MOST_MEMORY = 1 << 20 /* kB, of the process */ };

/* The text that a form of the report writes. Inlined, gcc -O3 would take it for dangling. */
__attribute__((noinline)) static char* written(const struct report* report,
                                               void (*write)(const struct report*, FILE*)) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    require(out != NULL);
    write(report, out);
    require(fclose(out) == 0 && strlen(text) == size);
    return text;
}

static void write_html(const struct report* report, FILE* out) {
    report_write_html(&report, 1, out);
}

/* Of a report that nothing in the file can make move the cursor. */
static void check_text(const char* text) {
    for (; *text != '\0'; text++)
        require((unsigned char)*text >= ' ' || *text == '\n');
}

/* The page's data stands between two scripts. */
static void check_page(char* text) {
    static const char begin[] = "class=\"trace-head\">", end[] = "</script>";
    char* head = strstr(text, begin);
    if (*text == '\0')
        return;
    require(head != NULL);
    head += strlen(begin);
    char* after = strstr(head, end);
    require(after != NULL);
    *after = '\0';
    require(is_json(head));
}

static void check_unit(void* context, const struct model* model, const struct span* spans,
                       size_t count) {
    (void)context;
    for (size_t i = 0; i < count; i++) {
        const struct span* span = &spans[i];
        require(span->start <= span->end);
        require(span->kind >= SPAN_ITERATION && span->kind <= SPAN_OUTSIDE);
        require(span->track < model->track_count);
        require(span->inside <= i && span->subject <= model->object_count);
        require(span->name == 0 || span->name < model->file->name_count);
        require(span->kind != SPAN_PHASE || span->detail < PH_PHASE_COUNT);
    }
}

static void check_report(struct trace_file* file) {
    struct model_sink sink = {.unit = check_unit};
    struct model model;
    struct report report;
    uint64_t from = file->event_count % 5 == 0 ? 1000 : 0;
    model_run(&model, file, from, from != 0 ? 100000 : UINT64_MAX, &sink);
    model_free(&model);
    struct symbols* symbols = symbols_open(file);
    report_make(&report, file, symbols, from, from != 0 ? 100000 : UINT64_MAX);
    report.columns = file->event_count % 3 * 40; /* of a terminal, or none */
    char* text = written(&report, report_write_text);
    char* json = written(&report, report_write_json);
    char* perfetto = written(&report, report_write_perfetto);
    char* html = written(&report, write_html);
    check_text(text);
    require(is_json(json) && is_json(perfetto));
    check_page(html);
    free(text);
    free(json);
    free(perfetto);
    free(html);
    report_free(&report);
    symbols_close(symbols);
}

static void check_file(const uint8_t* data, size_t size) {
    struct trace_file file;
    char path[64], error[4400] = "";
    int fd = memfd_create("trace", MFD_CLOEXEC);
    require(fd != -1 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (trace_file_open(&file, path, 0, error, sizeof(error))) {
        check_report(&file);
        trace_file_close(&file);
    } else {
        require(*error != '\0');
    }
    close(fd);
}

/* So that what is inside of a block gets read. */
static void repair(uint8_t* data, size_t size) {
    struct ph_trace_header header;
    struct ph_trace_block block;
    if (size < sizeof(header))
        return;
    memcpy(&header, data, sizeof(header));
    memcpy(header.magic, PH_TRACE_MAGIC, sizeof(header.magic));
    header.version = PH_TRACE_VERSION;
    memcpy(data, &header, sizeof(header));
    for (size_t at = 0; at + sizeof(block) <= size; at++) {
        memcpy(&block, data + at, sizeof(block));
        if (block.magic != PH_TRACE_BLOCK_MAGIC || block.size > size - at - sizeof(block))
            continue;
        block.checksum = ph_trace_checksum(data + at + sizeof(block), block.size);
        memcpy(data + at, &block, sizeof(block));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct rusage usage;
    uint8_t* copy = must(malloc(size + 1));
    memcpy(copy, data, size);
    check_file(copy, size);
    repair(copy, size);
    check_file(copy, size);
    free(copy);
    getrusage(RUSAGE_SELF, &usage);
    require(usage.ru_maxrss < MOST_MEMORY);
    return 0;
}

#ifdef PLAIN_MAIN
/* A file is made as the library would write it, of events that make sense and events that don't;
 * then it is damaged. */

struct output {
    uint8_t* data;
    size_t size;
    size_t room;
    uint64_t sequence;
};

static void put(struct output* out, const void* data, size_t size) {
    if (size > out->room - out->size)
        size = out->room - out->size;
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

static void put_number(struct output* out, uint64_t value) {
    do {
        uint8_t byte = (uint8_t)(value & 0x7f) | (value > 0x7f ? 0x80 : 0);
        put(out, &byte, 1);
        value >>= 7;
    } while (value != 0);
}

static void put_text(struct output* out, const char* text) {
    put_number(out, strlen(text));
    put(out, text, strlen(text));
}

static uint64_t odd_number(void) {
    static const uint64_t numbers[] = {0,          1,          2,          0x7f,
                                       0x80,       0xff,       0xffff,     0x7fffffff,
                                       0x80000000, 0xffffffff, 1ull << 32, 1ull << 40,
                                       1ull << 62, INT64_MAX,  UINT64_MAX, 1000000007};
    return numbers[chance(sizeof(numbers) / sizeof(numbers[0]))];
}

static uint64_t some_number(unsigned below) {
    return chance(40) == 0 ? odd_number() : chance(below);
}

/* Addresses that come again. */
static uint64_t address(void) {
    return 0x1000 + some_number(12) * 64;
}

static void put_event(struct output* out, unsigned type, uint64_t value) {
    uint8_t byte = (uint8_t)type;
    unsigned fields = ph_trace_fields(type);
    if (ph_trace_begins(type) && chance(2) == 0)
        byte |= PH_AT_ONCE;
    put(out, &byte, 1);
    put_number(out, some_number(100000));
    if (byte & PH_AT_ONCE)
        put_number(out, some_number(300000));
    if (byte == (PH_EV_WAIT_BEGIN | PH_AT_ONCE))
        fields |= PH_HAS_DETAIL;
    for (unsigned field = PH_HAS_LOOP; field <= PH_HAS_DETAIL; field <<= 1)
        if (fields & field)
            put_number(out, address() * (unsigned)chance(2));
    if (fields & PH_HAS_VALUE)
        put_number(out, value);
}

static void put_iteration(struct output* out) {
    put_event(out, PH_EV_ITERATION_BEGIN, chance(3));
    for (unsigned phase = 0; phase < PH_PHASE_COUNT; phase++) {
        put_event(out, PH_EV_PHASE, phase);
        for (unsigned left = chance(4); left > 0; left--) {
            put_event(out, PH_EV_CALLBACK_BEGIN, chance(PH_CB_COUNT));
            put_event(out, 1 + chance(PH_EV_COUNT - 1), some_number(8));
            put_event(out, PH_EV_CALLBACK_END, 0);
        }
    }
    put_event(out, PH_EV_ITERATION_END, 0);
}

static void put_events(struct output* out) {
    put_number(out, 100 + some_number(5));
    put_text(out, chance(10) == 0 ? "a\033[31m \xff\"</script>" : "thread");
    put_number(out, 1000000 * some_number(1000));
    for (unsigned left = chance(chance(50) == 0 ? 2000 : 40); left > 0; left--) {
        if (chance(8) == 0)
            put_iteration(out);
        else
            put_event(out, chance(60) == 0 ? chance(256) : 1 + chance(PH_EV_COUNT - 1),
                      some_number(8));
    }
}

static void put_names(struct output* out) {
    static const char* const texts[] = {"parse", "", "caf\xc3\xa9 \xff", "</script>\"\\\n\033[2J"};
    for (unsigned left = chance(20); left > 0; left--) {
        put_number(out, some_number(50));
        put_text(out, texts[chance(4)]);
        put_text(out, texts[chance(4)]);
        put_number(out, some_number(1000));
    }
}

static void put_lines(struct output* out) {
    static const char* const lines[] = {"executable=/usr/bin/node\n",
                                        "argument=node\n",
                                        "argument=\033[31m </script> \xff\n",
                                        "argument=\n",
                                        "1000-2000 r-xp 00000000 08:01 1 /no/such/library.so\n",
                                        "1000-2000 r-xp 00000000 08:01 1 /etc/passwd\n",
                                        "2000-1000 r-xp zz\n",
                                        "0-ffffffffffffffff r-xp ffffffffffffffff 08:01 1 /\n",
                                        "1000 abcdef /etc/passwd\n",
                                        "\n",
                                        "1000 0123456789abcdef0123456789abcdef01234567 \n"};
    for (unsigned left = chance(12); left > 0; left--) {
        const char* line = lines[chance(sizeof(lines) / sizeof(lines[0]))];
        put(out, line, strlen(line));
    }
}

static void put_block(struct output* out) {
    size_t at = out->size;
    unsigned kind = chance(3) == 0 ? 1 + chance(5) : PH_BLOCK_EVENTS;
    struct ph_trace_block block = {PH_TRACE_BLOCK_MAGIC, kind, 0, 0, ++out->sequence};
    put(out, &block, sizeof(block));
    if (out->size - at < sizeof(block))
        return;
    if (kind == PH_BLOCK_EVENTS)
        put_events(out);
    else if (kind == PH_BLOCK_NAMES)
        put_names(out);
    else
        put_lines(out);
    block.size = (uint32_t)(out->size - at - sizeof(block));
    block.checksum = ph_trace_checksum(out->data + at + sizeof(block), block.size);
    memcpy(out->data + at, &block, sizeof(block));
}

static void put_header(struct output* out) {
    struct ph_trace_header header = {.version = PH_TRACE_VERSION,
                                     .header_size = sizeof(header),
                                     .data_offset = sizeof(header) + some_number(400),
                                     .segment_size = chance(3) == 0 ? some_number(2000) : 0,
                                     .clock = 1000000 * some_number(900),
                                     .wall_clock = some_number(1000),
                                     .pid = 100,
                                     .status = (uint32_t)some_number(3),
                                     .error = (int32_t)(0 - some_number(100)),
                                     .ended = 1000000 * some_number(2000),
                                     .overwritten = chance(4) == 0};
    memcpy(header.magic, PH_TRACE_MAGIC, sizeof(header.magic));
    put(out, &header, sizeof(header));
}

static void damage(struct output* out) {
    for (unsigned left = chance(3) == 0 ? 1 + chance(20) : 0; left > 0 && out->size > 0; left--) {
        size_t at = chance((unsigned)out->size), size = chance(64);
        if (chance(20) == 0)
            out->size = at;
        else if (chance(10) == 0 && at + 8 <= out->size)
            memcpy(out->data + at, &(uint64_t){odd_number()}, 8);
        else if (chance(10) == 0 && at + 2 * size <= out->size)
            memmove(out->data + at, out->data + at + size, size);
        else
            out->data[at] ^= (uint8_t)(1u << chance(8));
    }
}

static size_t make_input(uint8_t* data, size_t room) {
    struct output out = {.data = data, .room = room};
    put_header(&out);
    for (unsigned left = chance(12); left > 0; left--)
        put_block(&out);
    damage(&out);
    return out.size;
}
#endif
