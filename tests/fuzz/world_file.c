/*
 * Any bytes as a file of a simulated world (world.json): it is read or refused, with a line. `make
 * fuzz` runs it with libFuzzer.
 */

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "search/json.h"
#include "search/sim.h"

enum { MOST_TEXT = 1 << 14 };

static size_t count(const struct json* value) {
    size_t all = 0;
    for (; value != NULL; value = value->next) {
        require(value->line > 0);
        require(value->first == NULL || value->kind == JSON_LIST || value->kind == JSON_OBJECT);
        require((value->text != NULL) == (value->kind == JSON_TEXT));
        all += 1 + count(value->first);
    }
    return all;
}

static void read_tree(const uint8_t* data, size_t size) {
    char* text = malloc(size + 1);
    int line = -1;
    const char* why = NULL;
    memcpy(text, data, size);
    text[size] = '\0';
    struct json* value = json_read(text, &line, &why);
    if (value == NULL)
        require(line > 0 && why != NULL);
    else
        require(count(value) > 0);
    json_free(value);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static struct sim_plan plan; /* large */
    static FILE* nowhere;
    char path[64];
    if (size > MOST_TEXT)
        return 0;
    read_tree(data, size);
    int fd = memfd_create("world", MFD_CLOEXEC);
    require(fd != -1 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    /* What is wrong is not for this program's reader; sanitizers write to the descriptor. */
    FILE* kept = stderr;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    stderr = nowhere;
    memset(&plan, 0, sizeof(plan));
    sim_read_world(path, &plan);
    stderr = kept;
    close(fd);
    return 0;
}

#ifdef PLAIN_MAIN
static size_t make_input(uint8_t* data, size_t room) {
    static const char* const parts[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ":",
                                        ",",
                                        "\"hosts\"",
                                        "\"links\"",
                                        "\"a\"",
                                        "\"b\"",
                                        "\"name\"",
                                        "\"run\"",
                                        "1",
                                        "-1e9",
                                        "true",
                                        "null",
                                        "\"1 s\"",
                                        "\"delay\"",
                                        "\"loss\"",
                                        "\"happenings\"",
                                        "\"\\u00fc\\n\"",
                                        " ",
                                        "\n"};
    size_t size = 0;
    for (unsigned left = chance(80); left > 0; left--) {
        const char* part = parts[chance(sizeof(parts) / sizeof(parts[0]))];
        if (size + strlen(part) > room)
            break;
        memcpy(data + size, part, strlen(part));
        size += strlen(part);
    }
    return size;
}
#endif
