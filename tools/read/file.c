#include "read/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/map.h"
#include "read/memory.h"

enum {
    MOST_THREADS = 65535,
    MOST_NAMES = 1 << 20,
    MOST_WASTED = 16 /* times the file's size, for blocks that turn out not to be sound */
};

/* Where a valid block is. */
struct block {
    uint64_t sequence;
    const unsigned char* data;
    uint32_t size;
    uint32_t kind;
};

struct reader {
    struct trace_file* file;
    unsigned char* data;
    uint64_t size;
    struct block* blocks;
    size_t block_count;
    uint64_t wasted;    /* bytes that were looked at for nothing */
    struct map threads; /* by id and name: the thread, + 1 */
};

__attribute__((format(printf, 2, 3))) static void problem(struct trace_file* file,
                                                          const char* format, ...) {
    va_list args;
    file->damaged = true;
    if (file->problem_count == sizeof(file->problems) / sizeof(file->problems[0]))
        return;
    va_start(args, format);
    vsnprintf(file->problems[file->problem_count++], sizeof(file->problems[0]), format, args);
    va_end(args);
}

/* Numbers from a payload; `at` stays at `end` once it has gone too far, and `bad` is set. */
struct cursor {
    const unsigned char* at;
    const unsigned char* end;
    bool bad;
};

static uint64_t get_varint(struct cursor* from) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (from->at == from->end)
            break;
        unsigned char byte = *from->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    from->bad = true;
    from->at = from->end;
    return 0;
}

static uint64_t get_delta(struct cursor* from, uint64_t* last) {
    uint64_t zigzag = get_varint(from);
    *last += zigzag >> 1 ^ (0 - (zigzag & 1));
    return *last;
}

static const unsigned char* get_bytes(struct cursor* from, uint64_t size) {
    const unsigned char* bytes = from->at;
    if (size > (uint64_t)(from->end - from->at)) {
        from->bad = true;
        from->at = from->end;
        return NULL;
    }
    from->at += size;
    return bytes;
}

/* Blocks */

/* The block at the offset, if a whole and sound one is there before `end`. */
static bool block_at(struct reader* reader, uint64_t offset, uint64_t end, struct block* block) {
    struct ph_trace_block head;
    if (offset > end || end - offset < sizeof(head))
        return false;
    memcpy(&head, reader->data + offset, sizeof(head));
    if (head.magic != PH_TRACE_BLOCK_MAGIC || head.size > end - offset - sizeof(head))
        return false;
    *block =
        (struct block){head.sequence, reader->data + offset + sizeof(head), head.size, head.kind};
    if (ph_trace_checksum(block->data, block->size) == head.checksum)
        return true;
    reader->wasted += head.size;
    return false;
}

/* Where reading stopped. */
static uint64_t collect(struct reader* reader, uint64_t offset, uint64_t end) {
    uint64_t last = 0;
    struct block block;
    while (block_at(reader, offset, end, &block) && block.sequence > last) {
        last = block.sequence;
        *APPEND(reader->blocks, reader->block_count) = block;
        offset += sizeof(struct ph_trace_block) + block.size;
    }
    return offset;
}

/* After a block that is not sound the next one is looked for, byte by byte; but not for ever, since
 * a hostile file may look as if many large ones began in it. */
static void collect_to_end(struct reader* reader, uint64_t offset) {
    struct trace_file* file = reader->file;
    for (;;) {
        offset = collect(reader, offset, reader->size);
        if (offset >= reader->size)
            return;
        uint64_t bad = offset++;
        struct block block;
        while (offset < reader->size && !block_at(reader, offset, reader->size, &block)) {
            const unsigned char* next =
                memchr(reader->data + offset, 'P', (size_t)(reader->size - offset));
            offset = next != NULL && next != reader->data + offset ? (uint64_t)(next - reader->data)
                                                                   : offset + 1;
            if (next == NULL || reader->wasted / MOST_WASTED > reader->size)
                offset = reader->size;
        }
        if (offset >= reader->size)
            problem(file,
                    "the file ends in the middle of a block: its last %llu bytes are missing "
                    "something",
                    (unsigned long long)(reader->size - bad));
        else
            problem(file, "%llu bytes at offset %llu are damaged and were skipped",
                    (unsigned long long)(offset - bad), (unsigned long long)bad);
    }
}

static int compare_blocks(const void* a, const void* b) {
    uint64_t x = ((const struct block*)a)->sequence, y = ((const struct block*)b)->sequence;
    return (x > y) - (x < y);
}

static void collect_all(struct reader* reader) {
    const struct ph_trace_header* header = &reader->file->header;
    uint64_t data = header->data_offset < reader->size ? header->data_offset : reader->size;
    if (header->segment_size == 0) {
        collect_to_end(reader, header->header_size);
        return;
    }
    uint64_t stopped = collect(reader, header->header_size, data);
    if (stopped != data)
        problem(reader->file, "the description of the process is damaged");
    for (uint64_t begin = data; begin < reader->size;) {
        uint64_t left = reader->size - begin;
        uint64_t size = header->segment_size < left ? header->segment_size : left;
        collect(reader, begin, begin + size);
        begin += size;
    }
    if (reader->block_count > 1)
        qsort(reader->blocks, reader->block_count, sizeof(struct block), compare_blocks);
}

/* Payloads */

static void replace_text(char** text, const struct block* block) {
    free(*text);
    *text = must(malloc(block->size + (size_t)1));
    memcpy(*text, block->data, block->size);
    (*text)[block->size] = '\0';
}

static char* get_text(struct cursor* from) {
    uint64_t size = get_varint(from);
    const unsigned char* bytes = get_bytes(from, size);
    return must(strndup(bytes != NULL ? (const char*)bytes : "", bytes != NULL ? size : 0));
}

static void read_names(struct trace_file* file, const struct block* block) {
    struct cursor from = {block->data, block->data + block->size, false};
    while (from.at != from.end) {
        uint64_t number = get_varint(&from);
        struct trace_name name = {.function = get_text(&from), .file = get_text(&from)};
        name.line = (uint32_t)get_varint(&from);
        if (from.bad || number >= MOST_NAMES) {
            problem(file, "a list of names is damaged");
            free(name.function);
            free(name.file);
            return;
        }
        while (file->name_count <= number)
            APPEND(file->names, file->name_count);
        free(file->names[number].function);
        free(file->names[number].file);
        file->names[number] = name;
    }
}

/* When there are too many, the first one stands for the rest. */
static uint16_t find_thread(struct reader* reader, int tid, const char* name) {
    struct trace_file* file = reader->file;
    uint64_t key = (uint64_t)ph_trace_checksum(name, strlen(name)) << 32 | (uint32_t)tid;
    uint32_t known = map_get(&reader->threads, key);
    if (known != 0)
        return (uint16_t)(known - 1);
    if (file->thread_count == MOST_THREADS)
        return 0;
    map_put(&reader->threads, key, (uint32_t)file->thread_count + 1);
    struct trace_thread* thread = APPEND(file->threads, file->thread_count);
    thread->tid = tid;
    snprintf(thread->name, sizeof(thread->name), "%s", name);
    return (uint16_t)(file->thread_count - 1);
}

static void read_events(struct reader* reader, const struct block* block) {
    struct trace_file* file = reader->file;
    struct cursor from = {block->data, block->data + block->size, false};
    uint64_t time = 0, loop = 0, subject = 0, details[PH_EV_COUNT] = {0};
    int tid = (int)get_varint(&from);
    char* name = get_text(&from);
    uint16_t thread = find_thread(reader, tid, name);
    free(name);
    time = get_varint(&from);
    while (from.at != from.end) {
        struct trace_event event = {.thread = thread, .type = *from.at++};
        unsigned fields = ph_trace_fields(event.type);
        event.time = time += get_varint(&from);
        if (event.type == PH_EV_NONE || event.type >= PH_EV_COUNT)
            from.bad = true;
        if (fields & PH_HAS_LOOP)
            event.loop = get_delta(&from, &loop);
        if (fields & PH_HAS_SUBJECT)
            event.subject = get_delta(&from, &subject);
        if (fields & PH_HAS_DETAIL)
            event.detail = get_delta(&from, &details[event.type]);
        if (fields & PH_HAS_VALUE)
            event.value = (uint32_t)get_varint(&from);
        if (from.bad) {
            problem(file, "a block of events is damaged: its rest was skipped");
            return;
        }
        *APPEND(file->events, file->event_count) = event;
    }
}

/* Bottom-up merge sort: blocks are sorted runs, and equal times keep their order. */
static void sort_events(struct trace_file* file) {
    size_t n = file->event_count;
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++)
        sorted = file->events[i - 1].time <= file->events[i].time;
    if (sorted)
        return;
    struct trace_event* from = file->events;
    struct trace_event* to = must(malloc(n * sizeof(*to)));
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n;
            size_t high = low + 2 * width < n ? low + 2 * width : n;
            size_t a = low, b = middle, out = low;
            while (a < middle || b < high)
                to[out++] = b == high || (a < middle && from[a].time <= from[b].time) ? from[a++]
                                                                                      : from[b++];
        }
        struct trace_event* swap = from;
        from = to;
        to = swap;
    }
    file->events = from;
    free(to);
}

static void read_blocks(struct reader* reader, uint64_t after) {
    struct trace_file* file = reader->file;
    for (size_t i = 0; i < reader->block_count; i++) {
        const struct block* block = &reader->blocks[i];
        if (block->kind == PH_BLOCK_INFO)
            replace_text(&file->info, block);
        else if (block->kind == PH_BLOCK_MAPS)
            replace_text(&file->maps, block);
        else if (block->kind == PH_BLOCK_BUILDS)
            replace_text(&file->builds, block);
        else if (block->kind == PH_BLOCK_NAMES)
            read_names(file, block);
        else if (block->kind == PH_BLOCK_EVENTS && block->sequence > after)
            read_events(reader, block);
        if (block->sequence > file->last_sequence)
            file->last_sequence = block->sequence;
    }
    sort_events(file);
}

/* The file as a whole */

static bool check_header(struct reader* reader, const char* path, char* error, size_t error_size) {
    struct ph_trace_header* header = &reader->file->header;
    size_t least = offsetof(struct ph_trace_header, reserved);
    if (reader->size < sizeof(header->magic) ||
        memcmp(reader->data, PH_TRACE_MAGIC, sizeof(header->magic)) != 0) {
        snprintf(error, error_size, "%s is not a trace file", path);
        return false;
    }
    memcpy(header, reader->data, reader->size < sizeof(*header) ? reader->size : sizeof(*header));
    if (reader->size < least) {
        snprintf(error, error_size, "%s is cut off within its first %zu bytes", path, least);
        return false;
    }
    if (header->version != PH_TRACE_VERSION) {
        snprintf(error, error_size, "%s has version %u of the format, and this program reads %d",
                 path, header->version, PH_TRACE_VERSION);
        return false;
    }
    if (header->header_size < least || header->header_size > reader->size ||
        header->data_offset < header->header_size) {
        snprintf(error, error_size, "%s has a damaged header", path);
        return false;
    }
    return true;
}

/* Not mapped: a file that is still being written may become shorter. */
static unsigned char* load(int fd, uint64_t* size) {
    unsigned char* data = must(malloc(*size));
    uint64_t loaded = 0;
    while (loaded < *size) {
        ssize_t n = read(fd, data + loaded, *size - loaded);
        if (n == -1 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        loaded += (uint64_t)n;
    }
    *size = loaded;
    return data;
}

static bool load_file(struct reader* reader, const char* path, char* error, size_t error_size) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd == -1 || fstat(fd, &info) != 0) {
        snprintf(error, error_size, "can't read %s: %s", path, strerror(errno));
        if (fd != -1)
            close(fd);
        return false;
    }
    reader->size = (uint64_t)info.st_size;
    reader->data = NULL;
    if (!S_ISREG(info.st_mode))
        snprintf(error, error_size, "%s is not a regular file", path);
    else if (info.st_size == 0)
        snprintf(error, error_size, "%s is empty", path);
    else
        reader->data = load(fd, &reader->size);
    close(fd);
    return reader->data != NULL;
}

bool trace_file_read(struct trace_file* file, const char* path, uint64_t after, char* error,
                     size_t error_size) {
    struct reader reader = {.file = file};
    memset(file, 0, sizeof(*file));
    if (!load_file(&reader, path, error, error_size))
        return false;
    file->size = reader.size;
    file->partial = after != 0;
    file->info = must(strdup(""));
    file->maps = must(strdup(""));
    file->builds = must(strdup(""));
    bool sound = check_header(&reader, path, error, error_size);
    if (sound) {
        collect_all(&reader);
        read_blocks(&reader, after);
    }
    free(reader.threads.slots);
    free(reader.blocks);
    free(reader.data);
    if (!sound)
        trace_file_free(file);
    return sound;
}

void trace_file_free(struct trace_file* file) {
    for (size_t i = 0; i < file->name_count; i++) {
        free(file->names[i].function);
        free(file->names[i].file);
    }
    free(file->names);
    free(file->threads);
    free(file->events);
    free(file->info);
    free(file->maps);
    free(file->builds);
    memset(file, 0, sizeof(*file));
}

/* The next line that begins with "key=", from `from` on. */
static const char* find_line(const char* from, const char* key, size_t* size) {
    size_t length = strlen(key);
    for (const char* line = from; *line != '\0';) {
        size_t end = strcspn(line, "\n");
        if (strncmp(line, key, length) == 0 && line[length] == '=') {
            *size = end - length - 1;
            return line + length + 1;
        }
        line += end + (line[end] == '\n');
    }
    return NULL;
}

char* trace_file_info(const struct trace_file* file, const char* key) {
    size_t size;
    const char* value = find_line(file->info, key, &size);
    return value != NULL ? must(strndup(value, size)) : NULL;
}

char* trace_file_command(const struct trace_file* file) {
    char* command = must(calloc(1, strlen(file->info) + 2));
    size_t size, length = 0;
    const char* value = file->info;
    while ((value = find_line(value, "argument", &size)) != NULL) {
        if (length > 0)
            command[length++] = ' ';
        memcpy(command + length, value, size);
        length += size;
        value += size;
    }
    return command;
}
