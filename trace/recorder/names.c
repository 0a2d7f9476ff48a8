/* Names that a runtime gives to what callbacks do: each is stored once and has a number. */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "recorder/memory.h"
#include "recorder/recorder.h"
#include "recorder/services.h"
#include <phasor.h>

enum { SLOTS = 1 << 16, MOST_NAMES = SLOTS / 2, MOST_TEXT = 512, NUMBERS = 40 };

struct name {
    uint64_t mark; /* where it was written last: see ph_name_encode */
    int line;
    unsigned short function_size;
    unsigned short file_size;
    char text[]; /* the function, then the file */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct name** names; /* by number; number 0 is no name */
static unsigned* slots;     /* numbers, by hash */
static unsigned count;

static unsigned hash(const char* text, size_t size, unsigned seed) {
    return ph_trace_checksum(text, size) * 31 + seed;
}

static bool make_tables(void) {
    if (names != NULL)
        return true;
    struct name** made =
        ph_recorder_calloc(MOST_NAMES, sizeof(struct name*)); /* NOLINT: of pointers */
    slots = ph_recorder_calloc(SLOTS, sizeof(*slots));
    if (made == NULL || slots == NULL) {
        ph_recorder_free(made);
        ph_recorder_free(slots);
        return false;
    }
    names = made;
    return true;
}

static bool is(const struct name* name, const char* function, size_t function_size,
               const char* file, size_t file_size, int line) {
    return name->line == line && name->function_size == function_size &&
           name->file_size == file_size && memcmp(name->text, function, function_size) == 0 &&
           memcmp(name->text + function_size, file, file_size) == 0;
}

static unsigned find_or_add(const char* function, size_t function_size, const char* file,
                            size_t file_size, int line) {
    unsigned at = hash(function, function_size, hash(file, file_size, (unsigned)line));
    for (; slots[at % SLOTS] != 0; at++)
        if (is(names[slots[at % SLOTS]], function, function_size, file, file_size, line))
            return slots[at % SLOTS];
    if (count + 1 >= MOST_NAMES)
        return 0;
    struct name* name = ph_recorder_malloc(sizeof(*name) + function_size + file_size);
    if (name == NULL)
        return 0;
    *name = (struct name){.line = line,
                          .function_size = (unsigned short)function_size,
                          .file_size = (unsigned short)file_size};
    memcpy(name->text, function, function_size);
    memcpy(name->text + function_size, file, file_size);
    names[++count] = name;
    slots[at % SLOTS] = count;
    return count;
}

static size_t encode(const struct name* name, unsigned number, unsigned char* out) {
    size_t size = ph_put_varint(out, number);
    size += ph_put_varint(out + size, name->function_size);
    memcpy(out + size, name->text, name->function_size);
    size += name->function_size;
    size += ph_put_varint(out + size, name->file_size);
    memcpy(out + size, name->text + name->function_size, name->file_size);
    size += name->file_size;
    return size + ph_put_varint(out + size, (unsigned)name->line);
}

static void note(unsigned number) {
    unsigned char data[2 * MOST_TEXT + NUMBERS];
    ph_memory_note_name(data, encode(names[number], number, data));
}

void ph_names_note(void) {
    pthread_mutex_lock(&lock);
    for (unsigned i = 1; i <= count; i++)
        note(i);
    pthread_mutex_unlock(&lock);
}

unsigned ph_name_number(const char* function, const char* file, int line) {
    if (function == NULL)
        function = "";
    if (file == NULL)
        file = "";
    pthread_mutex_lock(&lock);
    unsigned before = count;
    unsigned number = make_tables() ? find_or_add(function, strnlen(function, MOST_TEXT), file,
                                                  strnlen(file, MOST_TEXT), line)
                                    : 0;
    if (count != before)
        note(number);
    pthread_mutex_unlock(&lock);
    return number;
}

/* A name is written once per segment, before the events that use it: `mark` is the segment. */
size_t ph_name_encode(unsigned number, uint64_t mark, unsigned char* out, size_t room) {
    size_t size = 0;
    pthread_mutex_lock(&lock);
    struct name* name = number > 0 && number <= count ? names[number] : NULL;
    if (name != NULL && name->mark != mark &&
        room >= NUMBERS + (size_t)name->function_size + name->file_size) {
        name->mark = mark;
        size = encode(name, number, out);
    }
    pthread_mutex_unlock(&lock);
    return size;
}

void ph_names_before_fork(void) {
    pthread_mutex_lock(&lock);
}

void ph_names_after_fork(void) {
    pthread_mutex_unlock(&lock);
}

void ph_names_free(void) {
    pthread_mutex_lock(&lock);
    for (unsigned i = 1; i <= count; i++)
        ph_recorder_free(names[i]);
    ph_recorder_free(names);
    ph_recorder_free(slots);
    names = NULL;
    slots = NULL;
    count = 0;
    pthread_mutex_unlock(&lock);
}
