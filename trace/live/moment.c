#include "live/moment.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "read/cursor.h"
#include "read/memory.h"

struct part {
    FILE* out;
    uint64_t sequence;
    uint64_t from;
    uint64_t to;
};

static void write_block(struct part* part, uint32_t kind, const void* data, size_t size) {
    struct ph_trace_block head = {.magic = PH_TRACE_BLOCK_MAGIC,
                                  .kind = kind,
                                  .size = (uint32_t)size,
                                  .checksum = ph_trace_checksum(data, size),
                                  .sequence = ++part->sequence};
    fwrite(&head, sizeof(head), 1, part->out);
    fwrite(data, 1, size, part->out);
}

static void write_text(struct part* part, uint32_t kind, const char* text) {
    write_block(part, kind, text, strlen(text));
}

/* A line more says what this is. */
static void write_about(struct part* part, const struct trace_file* file) {
    char* info;
    if (asprintf(&info, "%smoment=1\n", file->info) < 0)
        must(NULL);
    write_text(part, PH_BLOCK_INFO, info);
    free(info);
    write_text(part, PH_BLOCK_MAPS, file->maps);
    write_text(part, PH_BLOCK_BUILDS, file->builds);
}

/* Until when a block of events may reach: its thread's next one begins there. */
static uint64_t end_of(const struct trace_file* file, size_t at) {
    for (size_t i = at + 1; i < file->block_count; i++)
        if (file->blocks[i].kind == PH_BLOCK_EVENTS &&
            file->blocks[i].thread == file->blocks[at].thread)
            return file->blocks[i].time;
    return UINT64_MAX;
}

static bool is_wanted(struct trace_file* file, size_t at, const struct part* part) {
    const struct trace_block* block = &file->blocks[at];
    if (block->kind == PH_BLOCK_NAMES)
        return true;
    if (block->kind == PH_BLOCK_EVENTS)
        return block->time <= part->to && end_of(file, at) >= part->from;
    const unsigned char* data =
        block->kind == PH_BLOCK_STACK ? trace_file_payload(file, block) : NULL;
    if (data == NULL)
        return false;
    struct cursor from = {data, data + block->size, false};
    get_varint(&from); /* the thread */
    uint64_t time = get_varint(&from);
    return time >= part->from && time <= part->to;
}

/* Version 2 whatever it was before: the checksums are. */
static void write_header(struct part* part, const struct trace_file* file) {
    struct ph_trace_header header = file->header;
    header.version = PH_TRACE_VERSION;
    header.header_size = sizeof(header);
    header.data_offset = sizeof(header);
    header.segment_size = 0;
    header.status = PH_TRACE_COMPLETE;
    header.error = 0;
    header.end = PH_END_UNKNOWN;
    header.overwritten = 1;
    header.ended = header.ended < part->to ? header.ended : part->to;
    fwrite(&header, sizeof(header), 1, part->out);
}

bool moment_write(struct trace_file* file, uint64_t from, uint64_t to, const char* path) {
    char* temporary;
    if (asprintf(&temporary, "%s.part", path) < 0)
        must(NULL);
    unlink(temporary);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct part part = {.out = fd != -1 ? fdopen(fd, "w") : NULL, .from = from, .to = to};
    bool good = part.out != NULL;
    if (good) {
        write_header(&part, file);
        write_about(&part, file);
        for (size_t i = 0; i < file->block_count; i++) {
            const unsigned char* data =
                is_wanted(file, i, &part) ? trace_file_payload(file, &file->blocks[i]) : NULL;
            if (data != NULL)
                write_block(&part, file->blocks[i].kind, data, file->blocks[i].size);
        }
        good = fflush(part.out) == 0 && !ferror(part.out);
        good = fclose(part.out) == 0 && good && rename(temporary, path) == 0;
    } else if (fd != -1) {
        close(fd);
    }
    int error = errno;
    if (!good)
        unlink(temporary);
    free(temporary);
    errno = error;
    return good;
}
