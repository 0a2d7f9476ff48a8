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
    if (sscanf(line, " seed %llu", &value) != 1)
        return sim_complain("%s:%d: neither \"seed NUMBER\" nor \"next NUMBER\"", file, number);
    if (corpus->count < CORPUS_MAX)
        corpus->seeds[corpus->count++] = value;
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

static bool is_known(const struct corpus* corpus, uint64_t seed) {
    for (uint32_t i = 0; i < corpus->count; i++)
        if (corpus->seeds[i] == seed)
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

bool corpus_write(const char* file, const struct corpus* old, uint64_t next, const uint64_t* seeds,
                  const char* const* whys, uint32_t count) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (out == NULL)
        return sim_complain("%s: %s", file, strerror(errno));
    copy(file, out);
    for (uint32_t i = 0; i < count; i++)
        if (!is_known(old, seeds[i]))
            fprintf(out, "seed %llu # %.*s\n", (unsigned long long)seeds[i],
                    (int)strcspn(whys[i], "\n"), whys[i]);
    fprintf(out, "next %llu\n", (unsigned long long)next);
    fclose(out);
    FILE* to = fopen(file, "we");
    bool good = to != NULL && fwrite(text, 1, size, to) == size;
    good = to != NULL && fclose(to) == 0 && good;
    free(text);
    return good || sim_complain("%s: %s", file, strerror(errno));
}
