#include "read/drain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/memory.h"
#include "recorder/encode.h"
#include "recorder/file.h"
#include "recorder/memory.h"

enum { MOST_BLOCK = 64 << 10, MOST_INFO = 1 << 20, MOST_NUMBER = 1 << 16 };

struct drain {
    struct ph_trace_file file;
    char path[sizeof(PH_MEMORY_FOLDER) + PH_MEMORY_NAME];
    int fd; /* of the memory */
    struct ph_memory head;
    unsigned char* names;
    bool* wanted; /* names, by number */
    unsigned char block[MOST_BLOCK];
    size_t block_size;
    uint64_t last; /* time of what was found */
    int error;     /* of writing it; negative */
};

static bool read_at(int fd, void* data, size_t size, uint64_t offset) {
    return pread(fd, data, size, (off_t)offset) == (ssize_t)size;
}

/* The line of the file's first block that names the memory. */
static bool find_name(struct drain* drain) {
    static const char key[] = "\nmemory=" PH_MEMORY_PREFIX;
    struct ph_trace_block block;
    uint64_t at = drain->file.header.header_size;
    if (!read_at(drain->file.fd, &block, sizeof(block), at) || block.kind != PH_BLOCK_INFO ||
        block.size > MOST_INFO)
        return false;
    char* info = must(calloc(1, block.size + (size_t)1));
    const char* line =
        read_at(drain->file.fd, info, block.size, at + sizeof(block)) ? strstr(info, key) : NULL;
    if (line != NULL) {
        const char* digits = line + sizeof(key) - 1;
        size_t length = strspn(digits, "0123456789abcdef");
        if (length == 32)
            snprintf(drain->path, sizeof(drain->path), "%s%s%.32s", PH_MEMORY_FOLDER,
                     PH_MEMORY_PREFIX, digits);
    }
    free(info);
    return drain->path[0] != '\0';
}

/* It has to be of the same user, version, process and recording. */
static bool open_memory(struct drain* drain, uid_t owner) {
    struct stat info;
    struct ph_memory* head = &drain->head;
    if (!find_name(drain))
        return false;
    drain->fd = open(drain->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    return drain->fd != -1 && fstat(drain->fd, &info) == 0 && S_ISREG(info.st_mode) &&
           info.st_uid == owner && read_at(drain->fd, head, sizeof(*head), 0) &&
           memcmp(head->magic, PH_MEMORY_MAGIC, sizeof(head->magic)) == 0 &&
           head->buffer_size == sizeof(struct ph_buffer) &&
           head->record_size == sizeof(struct ph_record) && head->pid == drain->file.header.pid &&
           head->clock == drain->file.header.clock && head->names <= PH_MEMORY_NAMES;
}

static void write_block(struct drain* drain, enum ph_trace_block_kind kind, const void* data,
                        size_t size) {
    if (size == 0 || drain->error != 0)
        return;
    ph_file_need_room(&drain->file, size + sizeof(struct ph_trace_block));
    drain->error = ph_file_write_block(&drain->file, kind, data, size);
}

static bool is_sound(const struct ph_record* record) {
    unsigned type = record->type & PH_TYPE;
    return type != PH_EV_NONE && type < PH_EV_COUNT &&
           (record->type == type || ph_trace_begins(type));
}

static void write_events(struct drain* drain, const struct ph_buffer* buffer,
                         const struct ph_record* records, uint64_t tail, uint64_t head) {
    struct ph_encoder encoder = {0};
    for (; tail != head; tail++) {
        const struct ph_record* record = &records[tail & (buffer->capacity - 1)];
        if (!is_sound(record))
            continue;
        if (encoder.size == 0)
            ph_encode_begin(&encoder, drain->block, buffer, record->time);
        ph_encode(&encoder, record);
        if (ph_record_end(record) > drain->last)
            drain->last = ph_record_end(record);
        if (encoder.size + PH_MOST_EVENT > drain->block_size) {
            write_block(drain, PH_BLOCK_EVENTS, drain->block, encoder.size);
            encoder.size = 0;
        }
    }
    write_block(drain, PH_BLOCK_EVENTS, drain->block, encoder.size);
}

static void note_names(struct drain* drain, const struct ph_buffer* buffer,
                       const struct ph_record* records, uint64_t tail, uint64_t head) {
    for (; tail != head; tail++) {
        const struct ph_record* record = &records[tail & (buffer->capacity - 1)];
        if (ph_uses_name(record) && record->detail < MOST_NUMBER)
            drain->wanted[record->detail] = true;
    }
}

typedef void (*visitor)(struct drain* drain, const struct ph_buffer* buffer,
                        const struct ph_record* records, uint64_t tail, uint64_t head);

static void visit(struct drain* drain, uint32_t page, visitor call) {
    struct ph_buffer buffer;
    uint64_t at = (uint64_t)page * PH_MEMORY_PAGE;
    if (page == 0 || !read_at(drain->fd, &buffer, sizeof(buffer), at) || buffer.owner == 0 ||
        buffer.capacity == 0 || buffer.capacity > PH_LARGEST_RING ||
        (buffer.capacity & (buffer.capacity - 1)) != 0 ||
        buffer.head - buffer.tail > buffer.capacity || buffer.head == buffer.tail)
        return;
    size_t size = buffer.capacity * sizeof(struct ph_record);
    struct ph_record* records = must(malloc(size));
    if (read_at(drain->fd, records, size, at + sizeof(buffer)))
        call(drain, &buffer, records, buffer.tail, buffer.head);
    free(records);
}

static void visit_all(struct drain* drain, visitor call) {
    for (uint32_t i = 0; i < drain->head.buffer_count && i < PH_MOST_BUFFERS; i++)
        visit(drain, drain->head.buffers[i], call);
}

static bool get_varint(const unsigned char** at, const unsigned char* end, uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool skip_text(const unsigned char** at, const unsigned char* end) {
    uint64_t size;
    if (!get_varint(at, end, &size) || size > (uint64_t)(end - *at))
        return false;
    *at += size;
    return true;
}

/* Those that the events use: they may not have been written yet. */
static void write_names(struct drain* drain) {
    size_t size = 0;
    drain->names = must(malloc(drain->head.names + 1));
    if (!read_at(drain->fd, drain->names, drain->head.names, PH_MEMORY_HEAD))
        return;
    const unsigned char *at = drain->names, *end = at + drain->head.names;
    while (at < end) {
        const unsigned char* begin = at;
        uint64_t number, line;
        if (!get_varint(&at, end, &number) || !skip_text(&at, end) || !skip_text(&at, end) ||
            !get_varint(&at, end, &line))
            break;
        size_t length = (size_t)(at - begin);
        if (number >= MOST_NUMBER || !drain->wanted[number] || length > drain->block_size)
            continue;
        if (size + length > drain->block_size) {
            write_block(drain, PH_BLOCK_NAMES, drain->block, size);
            size = 0;
        }
        memcpy(drain->block + size, begin, length);
        size += length;
    }
    write_block(drain, PH_BLOCK_NAMES, drain->block, size);
}

static void write_stacks(struct drain* drain) {
    static struct ph_stack_queue queue;
    uint64_t page = drain->head.stacks, at = 0;
    uint32_t length;
    if (page == 0 || page > drain->head.size / PH_MEMORY_PAGE ||
        !read_at(drain->fd, &queue, sizeof(queue), page * PH_MEMORY_PAGE) ||
        queue.used > sizeof(queue.bytes))
        return;
    for (; at + sizeof(length) <= queue.used; at += sizeof(length) + length) {
        memcpy(&length, queue.bytes + at, sizeof(length));
        if (length > queue.used - at - sizeof(length) || length > drain->block_size)
            return;
        write_block(drain, PH_BLOCK_STACK, queue.bytes + at + sizeof(length), length);
    }
}

/* The writer may have been interrupted: what follows its last whole block is no block. */
static bool go_on_where_writer_was(struct drain* drain) {
    struct ph_trace_file* file = &drain->file;
    const struct ph_memory* head = &drain->head;
    uint64_t segment = file->header.segment_size;
    file->sequence = head->sequence;
    file->offset = head->offset;
    file->segment = head->segment;
    file->limit = head->limit;
    drain->block_size = segment == 0 || segment / 4 > MOST_BLOCK ? MOST_BLOCK : segment / 4;
    if (head->offset < file->header.data_offset || head->segment == 0 ||
        drain->block_size < 2ul * PH_MOST_EVENT)
        return false;
    return segment != 0 || ftruncate(file->fd, (off_t)file->offset) == 0;
}

static void take_rest(struct drain* drain) {
    if (!go_on_where_writer_was(drain))
        return;
    drain->wanted = must(calloc(MOST_NUMBER, sizeof(*drain->wanted)));
    visit_all(drain, note_names);
    write_names(drain);
    visit_all(drain, write_events);
    write_stacks(drain);
    free(drain->wanted);
    free(drain->names);
    if (drain->error == 0)
        unlink(drain->path);
}

/* Only what is ours, and nobody writes any more. */
static bool open_recording(struct drain* drain, const char* path, struct stat* info) {
    struct ph_trace_file* file = &drain->file;
    file->fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file->fd == -1)
        return false;
    if (fstat(file->fd, info) != 0 || !S_ISREG(info->st_mode) || info->st_uid != geteuid() ||
        flock(file->fd, LOCK_EX | LOCK_NB) != 0 ||
        !read_at(file->fd, &file->header, sizeof(file->header), 0) ||
        memcmp(file->header.magic, PH_TRACE_MAGIC, sizeof(file->header.magic)) != 0 ||
        file->header.version != PH_TRACE_VERSION ||
        file->header.header_size != sizeof(file->header))
        return false;
    file->device = info->st_dev;
    file->inode = info->st_ino;
    return true;
}

/* Without the rest, nothing is known of the time after the writer's last word. */
static void complete(struct drain* drain, bool has_rest, const struct trace_end* end) {
    struct ph_trace_header* header = &drain->file.header;
    if (has_rest) {
        header->status = drain->error != 0 ? PH_TRACE_FAILED : PH_TRACE_COMPLETE;
        header->error = drain->error;
        header->end = PH_END_GONE;
        if (drain->last > header->ended)
            header->ended = drain->last;
        if (end != NULL && end->at > header->ended && drain->error == 0)
            header->ended = end->at;
    }
    if (end != NULL && end->kind != PH_END_UNKNOWN) {
        header->end = end->kind;
        header->end_value = end->value;
    }
    if (pwrite(drain->file.fd, header, sizeof(*header), 0) < 0)
        return;
}

void trace_drain(const char* path, const struct trace_end* end) {
    struct stat info;
    struct drain* drain = must(calloc(1, sizeof(*drain)));
    drain->fd = -1;
    if (open_recording(drain, path, &info)) {
        uint32_t status = drain->file.header.status;
        bool found = status != PH_TRACE_COMPLETE && open_memory(drain, info.st_uid);
        /* What follows a part that could not be written has no place behind it. */
        if (found && status == PH_TRACE_FAILED) {
            unlink(drain->path);
            found = false;
        }
        if (found)
            take_rest(drain);
        if (found || end != NULL)
            complete(drain, found && drain->head.incomplete == 0, end);
    }
    if (drain->fd != -1)
        close(drain->fd);
    if (drain->file.fd != -1)
        close(drain->file.fd);
    free(drain);
    trace_sweep();
}

static bool is_of_no_use(int fd, const struct stat* info) {
    static struct ph_memory head;
    struct ph_surroundings here = ph_surroundings();
    struct stat recording;
    if (!S_ISREG(info->st_mode) || info->st_uid != geteuid() ||
        !read_at(fd, &head, sizeof(head), 0) ||
        memcmp(head.magic, PH_MEMORY_MAGIC, sizeof(head.magic)) != 0 ||
        head.buffer_size != sizeof(struct ph_buffer) || head.path[0] != '/' ||
        memcmp(&head.surroundings, &here, sizeof(here)) != 0 || kill((pid_t)head.pid, 0) == 0 ||
        errno != ESRCH)
        return false;
    head.path[sizeof(head.path) - 1] = '\0';
    return lstat(head.path, &recording) != 0
               ? errno == ENOENT
               : recording.st_dev != head.device || recording.st_ino != head.inode;
}

void trace_sweep(void) {
    DIR* all = opendir(PH_MEMORY_FOLDER);
    for (struct dirent* entry; all != NULL && (entry = readdir(all)) != NULL;) {
        struct stat info;
        if (strncmp(entry->d_name, PH_MEMORY_PREFIX, sizeof(PH_MEMORY_PREFIX) - 1) != 0)
            continue;
        int fd = openat(dirfd(all), entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (fd == -1)
            continue;
        if (fstat(fd, &info) == 0 && is_of_no_use(fd, &info))
            unlinkat(dirfd(all), entry->d_name, 0);
        close(fd);
    }
    if (all != NULL)
        closedir(all);
}
