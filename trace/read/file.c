#include "read/file.h"

#include <stdarg.h>

#include "read/cursor.h"
#include "read/memory.h"
#include "read/stacks.h"

enum {
    MOST_NAMES = 1 << 20,
    MOST_BLOCK = 64 << 20, /* bytes; the recorder's are a thousand times smaller */
    MOST_WASTED = 16       /* times the file's size, for blocks that turn out not to be sound */
};

void trace_file_problem(struct trace_file* file, const char* format, ...) {
    va_list args;
    file->damaged = true;
    if (file->problem_count == sizeof(file->problems) / sizeof(file->problems[0]))
        return;
    va_start(args, format);
    vsnprintf(file->problems[file->problem_count++], sizeof(file->problems[0]), format, args);
    va_end(args);
}

/* Blocks */

/* A file while its blocks are looked for. */
struct search {
    struct trace_file* file;
    uint64_t wasted; /* bytes that were looked at for nothing */
};

/* The block at the offset, if a whole and sound one is there before `end`. */
static bool block_at(struct search* search, uint64_t offset, uint64_t end,
                     struct trace_block* block) {
    struct source* source = &search->file->source;
    struct ph_trace_block head;
    const unsigned char* bytes = offset <= end && end - offset >= sizeof(head)
                                     ? source_bytes(source, offset, sizeof(head))
                                     : NULL;
    if (bytes == NULL)
        return false;
    memcpy(&head, bytes, sizeof(head));
    if (head.magic != PH_TRACE_BLOCK_MAGIC || head.size > end - offset - sizeof(head) ||
        head.size > MOST_BLOCK)
        return false;
    *block = (struct trace_block){.sequence = head.sequence,
                                  .offset = offset + sizeof(head),
                                  .size = head.size,
                                  .checksum = head.checksum,
                                  .kind = head.kind};
    uint64_t loaded = source->loaded;
    if (trace_file_payload(search->file, block) != NULL)
        return true;
    search->wasted += head.size + (source->loaded - loaded);
    return false;
}

/* Where reading stopped. */
static uint64_t collect(struct search* search, uint64_t offset, uint64_t end) {
    struct trace_file* file = search->file;
    uint64_t last = 0;
    struct trace_block block;
    while (block_at(search, offset, end, &block) && block.sequence > last) {
        last = block.sequence;
        *APPEND(file->blocks, file->block_count) = block;
        offset += sizeof(struct ph_trace_block) + block.size;
    }
    return offset;
}

/* After a block that is not sound the next one is looked for, byte by byte; but not for ever, since
 * a hostile file may look as if many large ones began in it. */
static void collect_to_end(struct search* search, uint64_t offset) {
    struct trace_file* file = search->file;
    for (;;) {
        offset = collect(search, offset, file->size);
        if (offset >= file->size)
            return;
        uint64_t bad = offset++;
        struct trace_block block;
        while (offset < file->size && !block_at(search, offset, file->size, &block)) {
            offset = source_find(&file->source, offset + 1, 'P');
            if (search->wasted / MOST_WASTED > file->size)
                offset = file->size;
        }
        if (offset >= file->size)
            trace_file_problem(file,
                               "the file ends in the middle of a block: its last %llu bytes are "
                               "missing something",
                               (unsigned long long)(file->size - bad));
        else
            trace_file_problem(file, "%llu bytes at offset %llu are damaged and were skipped",
                               (unsigned long long)(offset - bad), (unsigned long long)bad);
    }
}

static int compare_blocks(const void* a, const void* b) {
    uint64_t x = ((const struct trace_block*)a)->sequence,
             y = ((const struct trace_block*)b)->sequence;
    return (x > y) - (x < y);
}

static void collect_all(struct trace_file* file) {
    const struct ph_trace_header* header = &file->header;
    struct search search = {.file = file};
    uint64_t data = header->data_offset < file->size ? header->data_offset : file->size;
    if (header->segment_size == 0) {
        collect_to_end(&search, header->header_size);
        return;
    }
    uint64_t stopped = collect(&search, header->header_size, data);
    if (stopped != data)
        trace_file_problem(file, "the description of the process is damaged");
    for (uint64_t begin = data; begin < file->size;) {
        uint64_t left = file->size - begin;
        uint64_t size = header->segment_size < left ? header->segment_size : left;
        collect(&search, begin, begin + size);
        begin += size;
    }
    if (file->block_count > 1)
        qsort(file->blocks, file->block_count, sizeof(*file->blocks), compare_blocks);
}

const unsigned char* trace_file_payload(struct trace_file* file, const struct trace_block* block) {
    const unsigned char* data = source_bytes(&file->source, block->offset, block->size);
    if (data == NULL)
        return NULL;
    uint32_t sum = file->header.version == 1 ? ph_trace_old_checksum(data, block->size)
                                             : ph_trace_checksum(data, block->size);
    return sum == block->checksum ? data : NULL;
}

/* Payloads */

static void replace_text(char** text, const unsigned char* data, size_t size) {
    free(*text);
    *text = must(malloc(size + 1));
    memcpy(*text, data, size);
    (*text)[size] = '\0';
}

static char* get_text(struct cursor* from) {
    uint64_t size = get_varint(from);
    const unsigned char* bytes = get_bytes(from, size);
    return must(strndup(bytes != NULL ? (const char*)bytes : "", bytes != NULL ? size : 0));
}

static void read_names(struct trace_file* file, const unsigned char* data, size_t size) {
    struct cursor from = {data, data + size, false};
    while (from.at != from.end) {
        uint64_t number = get_varint(&from);
        struct trace_name name = {.function = get_text(&from), .file = get_text(&from)};
        name.line = (uint32_t)get_varint(&from);
        if (from.bad || number >= MOST_NAMES) {
            trace_file_problem(file, "a list of names is damaged");
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

static void read_block(struct trace_file* file, const struct trace_block* block) {
    const unsigned char* data = trace_file_payload(file, block);
    if (data == NULL)
        return;
    if (block->kind == PH_BLOCK_INFO)
        replace_text(&file->info, data, block->size);
    else if (block->kind == PH_BLOCK_MAPS)
        replace_text(&file->maps, data, block->size);
    else if (block->kind == PH_BLOCK_BUILDS)
        replace_text(&file->builds, data, block->size);
    else if (block->kind == PH_BLOCK_NAMES)
        read_names(file, data, block->size);
}

/* Blocks of events that are not wanted are forgotten. */
static void read_blocks(struct trace_file* file, uint64_t after) {
    size_t kept = 0;
    for (size_t i = 0; i < file->block_count; i++) {
        struct trace_block block = file->blocks[i];
        if (block.sequence > file->last_sequence)
            file->last_sequence = block.sequence;
        if (block.kind != PH_BLOCK_EVENTS)
            read_block(file, &block);
        else if (block.sequence <= after)
            continue;
        file->blocks[kept++] = block;
    }
    file->block_count = kept;
    trace_file_scan(file);
}

/* The file as a whole */

static bool check_header(struct trace_file* file, const char* path, char* error,
                         size_t error_size) {
    struct ph_trace_header* header = &file->header;
    size_t least = offsetof(struct ph_trace_header, reserved);
    size_t size = file->size < sizeof(*header) ? (size_t)file->size : sizeof(*header);
    const unsigned char* data = source_bytes(&file->source, 0, size);
    if (data == NULL || size < sizeof(header->magic) ||
        memcmp(data, PH_TRACE_MAGIC, sizeof(header->magic)) != 0) {
        snprintf(error, error_size, "%s is not a trace file", path);
        return false;
    }
    memcpy(header, data, size);
    if (size < least) {
        snprintf(error, error_size, "%s is cut off within its first %zu bytes", path, least);
        return false;
    }
    if (header->version < PH_TRACE_OLDEST || header->version > PH_TRACE_VERSION) {
        snprintf(error, error_size,
                 "%s has version %u of the format, and this program reads %d to %d", path,
                 header->version, PH_TRACE_OLDEST, PH_TRACE_VERSION);
        return false;
    }
    if (header->header_size < least || header->header_size > file->size ||
        header->data_offset < header->header_size) {
        snprintf(error, error_size, "%s has a damaged header", path);
        return false;
    }
    return true;
}

bool trace_file_open(struct trace_file* file, const char* path, uint64_t after, char* error,
                     size_t error_size) {
    memset(file, 0, sizeof(*file));
    if (!source_open(&file->source, path, error, error_size))
        return false;
    file->size = file->source.size;
    file->partial = after != 0;
    file->info = must(strdup(""));
    file->maps = must(strdup(""));
    file->builds = must(strdup(""));
    if (!check_header(file, path, error, error_size)) {
        trace_file_close(file);
        return false;
    }
    collect_all(file);
    read_blocks(file, after);
    return true;
}

void trace_file_close(struct trace_file* file) {
    if (file->stacks != NULL)
        stacks_close(file->stacks);
    for (size_t i = 0; i < file->name_count; i++) {
        free(file->names[i].function);
        free(file->names[i].file);
    }
    free(file->names);
    free(file->threads);
    free(file->blocks);
    free(file->gaps);
    free(file->info);
    free(file->maps);
    free(file->builds);
    source_close(&file->source);
    memset(file, 0, sizeof(*file));
    file->source.fd = -1;
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
