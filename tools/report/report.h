#ifndef PH_TOOLS_REPORT_H
#define PH_TOOLS_REPORT_H

/* What `phasor report` works out from a recording, and the forms in which it writes it. */

#include <stdio.h>

#include "read/model.h"
#include "read/symbols.h"

enum { LONGEST = 10, MOST_SENTENCES = 24 };

/* Samples of a duration, in ns. */
struct samples {
    uint64_t* values; /* sorted by samples_sort */
    size_t count;
    uint64_t sum;
};

void samples_add(struct samples* samples, uint64_t value);
void samples_sort(struct samples* samples);
/* 0.5 is the median; 0 when there are none. */
uint64_t samples_at(const struct samples* samples, double share);

struct loop_stats {
    uint16_t track;
    uint64_t iterations;
    uint64_t time; /* in iterations */
    uint64_t waited;
    uint64_t phase_time[PH_PHASE_COUNT]; /* poll without the waiting */
    uint64_t phase_callbacks[PH_PHASE_COUNT];
    uint64_t callbacks;
    uint64_t ticks;
    uint64_t microtasks;
    struct samples lag; /* per iteration: what was not waiting */
    uint64_t worst_lag;
    uint64_t worst_lag_iteration;
    uint64_t worst_lag_in_callbacks;
    struct samples lateness; /* of timers */
    uint64_t waits;
    uint64_t blocking_waits;
    uint64_t waits_with_events;
    uint64_t events;
    uint64_t wakes;
};

struct pool_stats {
    unsigned threads;
    uint64_t requests;
    struct samples queued;
    struct samples ran;
    struct samples returned; /* from the end of the work to its callback */
    uint64_t cancelled;
    uint64_t on_ring;
};

/* What stands out. The page shows the same, so that there is one rule for what is worth a word. */
struct sentence {
    char* text;
    const char* about;       /* "blocked", "pool", "loop", "recording" */
    const struct span* span; /* that it is about, or NULL */
};

struct report {
    const struct trace_file* file;
    const struct model* model;
    struct symbols* symbols;
    char* folder; /* in which the program was started; NULL: not known */
    struct loop_stats* loops;
    size_t loop_count;
    struct pool_stats pool;
    const struct span* longest[LONGEST];
    size_t longest_count;
    uint32_t* named_inside; /* by span: the longest named span directly inside, + 1 */
    struct sentence sentences[MOST_SENTENCES];
    size_t sentence_count;
    /* For the text: */
    unsigned columns; /* of the terminal; 0: lines are as long as they are */
    bool brief;       /* without what takes many lines */
};

void report_make(struct report* report, const struct model* model, struct symbols* symbols);
void report_free(struct report* report);
/* report_sentences.c */
void report_add_sentences(struct report* report);

/* "uv_fs_cb parse_config (config.c:12)", the function alone, or what a runtime called it; `buffer`
 * is used where a name has to be put together. */
const char* report_function(const struct report* report, const struct span* span, char* buffer,
                            size_t size);
/* What a runtime calls it; NULL: a function of a library or program. */
const struct trace_name* report_script_name(const struct report* report, const struct span* span);
/* With the kind of callback before it: "uv_fs_cb parse_config", "timer callback tick (app.js:3)" */
void report_label(const struct report* report, const struct span* span, char* buffer, size_t size);
/* A callback on a loop's thread that is not inside another: while it runs, the loop does nothing
 * else. */
bool report_blocks_loop(const struct report* report, const struct span* span);
/* The phase that the span ran in, PH_PHASE_COUNT for none. */
unsigned report_phase(const struct report* report, const struct span* span);
/* "The loop", "The main loop", "Loop 2": the beginning of a sentence. */
const char* report_loop(const struct report* report, unsigned track, char* buffer, size_t size);
/* "182 ms", "31 µs", "2.5 s" */
const char* report_time(uint64_t ns, char* buffer, size_t size);

/* The same at the right of a column. */
const char* report_time_column(uint64_t ns, int width, char* buffer, size_t size);

/* How many columns of a terminal a text takes. */
unsigned report_columns(const char* text);

/* Text from a file that is not trusted: nothing in it moves the cursor. */
void report_print_safe(FILE* out, const char* text);
/* A JSON string with its quotes, valid whatever the bytes are; with `<` escaped. */
void report_print_json(FILE* out, const char* text);

/* Of standard output; 0 where that is no terminal, or does not say. */
void terminal_size(unsigned* columns, unsigned* rows);

void report_write_text(const struct report* report, FILE* out);
void report_write_json(const struct report* report, FILE* out);
void report_write_perfetto(const struct report* report, FILE* out);
/* False: this build has no page. */
bool report_write_html(const struct report* report, FILE* out);

#endif
