#include "search/corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/sim.h"

enum { LINE_ROOM = 1024 };

static bool take_line(const char* file, int number, char* line, struct corpus* corpus) {
    unsigned long long value;
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0')
        return true;
    if (sscanf(line, " next %llu", &value) == 1) {
        corpus->next = value;
        return true;
    }
    struct ph_settings* settings = calloc(1, sizeof(*settings));
    char branches[LINE_ROOM] = "";
    struct sim_start start = {0};
    bool good = settings != NULL && sscanf(line, " seed %llu %1000s", &value, branches) >= 1 &&
                (branches[0] == '\0' || sim_read_branches(branches, settings));
    if (good) {
        start.seed = value;
        start.branch_count = settings->branch_count;
        memcpy(start.branches, settings->branches, sizeof(start.branches));
    }
    free(settings);
    if (!good)
        return sim_complain("%s:%d: neither \"seed NUMBER\" nor \"next NUMBER\"", file, number);
    if (corpus->count < CORPUS_MAX)
        corpus->starts[corpus->count++] = start;
    return true;
}

bool corpus_read(const char* file, struct corpus* corpus) {
    char line[LINE_ROOM];
    bool good = true;
    FILE* in = fopen(file, "re");
    if (in == NULL)
        return errno == ENOENT || sim_complain("%s: %s", file, strerror(errno));
    for (int number = 1; good && fgets(line, sizeof(line), in) != NULL; number++)
        good = take_line(file, number, line, corpus);
    fclose(in);
    return good;
}

static bool is_known(const struct corpus* corpus, const struct sim_start* start) {
    for (uint32_t i = 0; i < corpus->count; i++)
        if (memcmp(&corpus->starts[i], start, sizeof(*start)) == 0)
            return true;
    return false;
}

/* What was there stays, but for the old end. */
static void copy(const char* file, FILE* out) {
    char line[LINE_ROOM];
    FILE* in = fopen(file, "re");
    while (in != NULL && fgets(line, sizeof(line), in) != NULL)
        if (strncmp(line, "next ", 5) != 0)
            fputs(line, out);
    if (in != NULL)
        fclose(in);
}

bool corpus_write(const char* file, const struct corpus* old, uint64_t next,
                  const struct sim_start* starts, const char* const* whys, uint32_t count) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL)
        return sim_complain("%s: %s", file, strerror(errno));
    copy(file, out);
    for (uint32_t i = 0; i < count; i++)
        if (!is_known(old, &starts[i])) {
            fprintf(out, "seed %llu ", (unsigned long long)starts[i].seed);
            sim_print_branches(out, starts[i].branches, starts[i].branch_count);
            fprintf(out, "%s# %.*s\n", starts[i].branch_count > 0 ? " " : "",
                    (int)strcspn(whys[i], "\n"), whys[i]);
        }
    fprintf(out, "next %llu\n", (unsigned long long)next);
    fclose(out);
    FILE* to = fopen(file, "we");
    bool good = to != NULL && fwrite(text, 1, size, to) == size;
    good = to != NULL && fclose(to) == 0 && good;
    free(text);
    return good || sim_complain("%s: %s", file, strerror(errno));
}
