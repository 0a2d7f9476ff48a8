#ifndef PH_TOOLS_REPORT_H
#define PH_TOOLS_REPORT_H

/* What `phasor report` works out from a recording, and the forms in which it writes it. */

#include <stdio.h>

#include "read/map.h"
#include "read/model.h"
#include "read/symbols.h"
#include "report/histogram.h"

enum { LONGEST = 10, MOST_SENTENCES = 24 };

/* A callback that was worth keeping. */
struct moment {
    struct span span;
    unsigned phase; /* that it ran in; PH_PHASE_COUNT: none */
    uint32_t ticks; /* directly inside, if they took most of the time */
    uint32_t microtasks;
};

/* A second of a loop, or 2, 4, 8 ... of a very long recording. */
struct second {
    uint64_t turns; /* that ended in it */
    uint64_t callbacks;
    uint64_t busy;
    uint64_t worst; /* lag, of a turn that ended in it, which began and ended: */
    uint64_t worst_start;
    uint64_t worst_end;
};

/* Of those times in which a thread waited for a processor: with that, and without. NULL: none. */
struct waits {
    struct histogram with;
    struct histogram without;
};

struct loop_stats {
    uint16_t track;
    uint64_t iterations;
    uint64_t time; /* in iterations, and outside of uv_run between them */
    uint64_t waited;
    uint64_t outside; /* of uv_run, as far as the loop was kept from turning by it */
    uint64_t outside_count;
    struct span outside_worst;
    struct span* start_up;               /* from its making to its first turn; NULL: not known */
    struct span* wind_down;              /* after its last turn; the same */
    uint64_t start_up_late;              /* timers, because of it */
    uint64_t outside_before;             /* the next iteration */
    uint64_t phase_time[PH_PHASE_COUNT]; /* poll without the waiting */
    struct histogram phase_times[PH_PHASE_COUNT]; /* the same, per iteration */
    struct waits* phase_waits[PH_PHASE_COUNT];
    uint64_t phase_callbacks[PH_PHASE_COUNT];
    uint64_t callbacks;
    uint64_t ticks;
    uint64_t microtasks;
    struct histogram lag; /* per iteration: what was not waiting, and what was outside before it */
    struct waits* lag_waits;
    uint64_t queued_before; /* the next iteration, outside of uv_run */
    struct span worst_lag;  /* the iteration */
    uint64_t worst_lag_in_callbacks;
    uint64_t ran; /* in iterations that have shares, on a processor; and waiting for one */
    uint64_t queued;
    uint64_t accounted; /* their time without the waiting in poll */
    uint64_t starved;   /* callbacks that took long because they waited for a processor */
    uint64_t starved_time;
    struct moment starved_worst;
    struct histogram lateness; /* of timers */
    uint64_t spins; /* turns that did not sleep, although nothing from elsewhere had come */
    uint64_t spin_time;
    uint64_t waits;
    uint64_t blocking_waits;
    uint64_t waits_with_events;
    uint64_t events;
    uint64_t wakes;
    struct moment longest[LONGEST];
    size_t longest_count;
    struct second* seconds;
    size_t second_count;
    struct recent* recent; /* blocks; for functions.c */
};

struct pool_stats {
    unsigned threads;
    uint64_t requests;
    struct histogram queued;
    struct histogram ran;
    struct histogram returned; /* from the end of the work on its thread to the callback's begin */
    uint64_t starved;          /* queued for 10 ms or more */
    uint64_t first;            /* submission, and last end of work: when there was work */
    uint64_t last;
    uint64_t cancelled;
    uint64_t on_ring;
};

/* Equal handles that are open, or requests that wait, at the end; or equal requests to the pool:
 * of one type and purpose, made by the same function. */
struct alike {
    uint64_t key;
    struct object first;
    uint64_t count;
    uint64_t ran; /* ns, on the pool's threads, together */
    uint64_t queued;
};

struct alikes {
    struct alike* all;
    size_t count;
    struct map index; /* by key: + 1 */
};

enum { MOST_INSIDE = 6 };

/* A function that an engine ran in another one, and in how many stacks it was. */
struct inside {
    uint32_t name;
    uint32_t stacks;
};

/* Callbacks of one function on one loop, not inside others; or work on the pool's threads. */
struct function_stats {
    uint64_t key;
    struct histogram time;
    struct waits* waits;
    struct moment worst;
    uint64_t on_cpu;    /* of those calls for which it is known */
    uint64_t queued;    /* the same, waiting for a processor */
    uint64_t accounted; /* what those calls took */
    /* Calls that took 10 ms or more without the time for which they waited for a processor: how
     * many, what they took without it, and the one that took most. */
    uint64_t blocked;
    uint64_t blocked_time;
    struct moment blocked_worst;
    bool has_callers;     /* those calls have several */
    uint64_t late_timers; /* because of them */
    uint64_t spins;       /* calls in turns that did not sleep: see loop_stats */
    /* An engine runs several functions of a program in one of its own: by stacks that were taken by
     * chance in calls that were not long, which those were. */
    struct inside inside[MOST_INSIDE];
    uint32_t stacks; /* in all */
};

/* HTTP requests of one name. */
struct route_stats {
    uint32_t name;
    struct histogram time; /* of those that were answered, from the request to the answer */
    uint64_t failed;       /* of these, with a status of 500 or more */
    uint64_t unanswered;
    uint64_t own;    /* of their time, in callbacks that they led to; */
    uint64_t waited; /* while their loop was asleep; */
    uint64_t others; /* and while it ran other callbacks */
    uint64_t queued; /* that their work waited for a thread of the pool */
    struct exchange worst;
};

/* A turn of a loop that kept it busy for long. */
struct outlier {
    uint64_t lag;
    uint64_t start;
    uint64_t end;
};

/* What stands out. The page shows the same, so that there is one rule for what is worth a word. */
struct sentence {
    char* text;
    const char* about;       /* "blocked", "pool", "loop", "recording" */
    const struct span* span; /* that it is about, or NULL */
    char* strong[2];         /* parts of the text that weigh most, in their order; or NULL */
    char* stack;             /* the heaviest one while it went on, in words; NULL: none */
};

/* Coroutines that still wait when the recording ends. */
enum { SHOWN_WAITING = 5 };
struct waiter {
    uint16_t track;
    uint32_t what; /* the name of what it waits for */
};
struct waiting {
    struct waiter shown[SHOWN_WAITING];
    size_t count; /* of all that have a row */
};

struct report {
    struct trace_file* file;
    struct model model; /* after the pass over the file */
    struct symbols* symbols;
    char* folder; /* in which the program was started; NULL: not known */
    struct loop_stats* loops;
    size_t loop_count;
    struct pool_stats pool;
    struct alikes alive;
    struct alikes pool_users;
    struct waiting waiting;
    struct function_stats* functions;
    size_t function_count;
    struct map function_index; /* by key: + 1 */
    struct route_stats* routes;
    size_t route_count;
    struct map route_index; /* by name, + 1: + 1 */
    struct moment longest[LONGEST];
    size_t longest_count;
    struct outlier* outliers; /* a heap: the shortest first */
    size_t outlier_count;
    uint64_t second_width; /* ns */
    uint64_t* second_rows; /* how many spans there are, by second */
    size_t second_count;
    uint64_t span_count;
    struct sentence sentences[MOST_SENTENCES];
    size_t sentence_count;
    char** failures; /* conditions of --fail-if that hold, and what the figures are */
    size_t failure_count;
    /* For the text: */
    unsigned columns; /* of the terminal; 0: lines are as long as they are */
    bool brief;       /* without what takes many lines */
};

/* One pass over the file; what goes on between the two times (ns since the beginning) counts. */
void report_make(struct report* report, struct trace_file* file, struct symbols* symbols,
                 uint64_t from, uint64_t to);
void report_free(struct report* report);
/* 0: there was none, and nothing is noted. */
void report_add_waits(struct waits** waits, uint64_t time, uint64_t queued);
void report_free_waits(struct waits* waits);
/* How long the part of the recording is that was asked for. */
uint64_t report_duration(const struct report* report);

/* What the span took without the time for which its thread waited for a processor. */
static inline uint64_t report_own_time(const struct span* span) {
    uint64_t length = span->end - span->start;
    uint64_t queued = span->has_shares ? span->queued : 0;
    return length > queued ? length - queued : 0;
}

/* Parts of the pass (functions.c, seconds.c). */
struct collector;
void report_add_functions(struct report* report, const struct span* unit, size_t count,
                          const uint32_t* loop_of_track);
/* A loop that has turned, and in which nothing ever ran: what part of its microseconds it was busy
 * says nothing. */
static inline bool report_is_idle(const struct loop_stats* loop) {
    return loop->callbacks == 0 && loop->waited == 0 && loop->time < 1000000;
}

/* The functions that the loops have together, by total, without whom they blocked; the caller frees
 * the times and the array. */
struct function_stats* report_merge_functions(const struct report* report, size_t* count);
/* "of 23 stacks: tick (app.js:5) 80 %, flush (app.js:9) 20 %"; "": nothing is known. */
void report_name_inside(const struct report* report, const struct function_stats* function,
                        char* buffer, size_t size);
void report_free_functions(struct function_stats* functions, size_t count);
void report_begin_seconds(struct report* report);
void report_add_turn(struct report* report, struct loop_stats* loop, const struct span* unit,
                     size_t count, const struct span* turn, uint64_t lag);
/* startup.c. What the program did before the loop's first turn, in words: "512 ms from the start of
 * the process to the first turn, ..."; "": not known. */
void report_describe_start_up(const struct report* report, const struct loop_stats* loop,
                              char* buffer, size_t size);
/* How long the process was there before the recording began; 0: not known. */
uint64_t report_before(const struct report* report, const struct loop_stats* loop);
/* "startUp": {...} */
void report_write_start_up(const struct report* report, const struct loop_stats* loop, FILE* out);
void report_say_start_up(struct report* report);
/* waiting.c */
void report_add_waiting(struct report* report, const struct span* span);
void report_say_waiting(struct report* report);
/* alive.c */
void report_add_open(struct report* report, const struct object* object);
void report_add_pool_user(struct report* report, const struct object* object);
void report_free_alikes(struct alikes* alikes);
/* What keeps the loops alive, for people; "alive": [...], "users": [...] */
void report_write_alive(const struct report* report, FILE* out);
void report_write_alive_json(const struct report* report, FILE* out);
void report_write_pool_users(const struct report* report, FILE* out);
/* "fs open for onFile (app.js:4), 1.2 s in 12 requests": who kept the pool's threads longest; "":
 * nobody is known. */
void report_name_pool_users(const struct report* report, char* buffer, size_t size);
/* sentences.c */
__attribute__((format(printf, 4, 5))) void report_say(struct report* report, const char* about,
                                                      const struct span* span, const char* format,
                                                      ...);
/* " It waited 58 ms more for a processor." */
void report_name_shares(const struct span* span, char* buffer, size_t size);
void report_add_sentences(struct report* report);

/* "uv_fs_cb parse_config (config.c:12)", the function alone, or what a runtime called it; `buffer`
 * is used where a name has to be put together. */
const char* report_function(const struct report* report, const struct span* span, char* buffer,
                            size_t size);
/* A file below the folder in which the program was started, from there. */
const char* report_path(const struct report* report, const char* path);
/* What a runtime calls it; NULL: a function of a library or program. */
const struct trace_name* report_script_name(const struct report* report, const struct span* span);
/* With the kind of callback before it: "uv_fs_cb parse_config", "timer callback tick (app.js:3)" */
void report_label(const struct report* report, const struct span* span, char* buffer, size_t size);
/* The phase that the span ran in, PH_PHASE_COUNT for none. */
unsigned report_phase(const struct span* unit, const struct span* span);
/* A name of the file's: "parse (app.js:12)". */
const char* report_name(const struct report* report, uint32_t name, char* buffer, size_t size);
/* stacks.c. Who took the time in a callback, after its label: "in parse (app.js:12)"; or "".
 */
void report_name_culprit(const struct report* report, const struct span* span, char* buffer,
                         size_t size);
/* "92 % in parse (app.js:12) < read (app.js:3) < ...", allocated, or NULL. */
char* report_heaviest_stack(const struct report* report, const struct span* span);
struct stack_sample;
char* report_stack(const struct report* report, const struct stack_sample* samples, size_t count);
/* "stacks": {...}: all of them as a tree, and when they were taken. */
void report_write_stacks(const struct report* report, FILE* out);
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
/* The loops and the pool as JSON: "loops": [...], "pool": {...}. */
void report_write_figures(const struct report* report, FILE* out);
/* The part of its time that a loop was busy. */
double report_utilisation(const struct loop_stats* loop);
/* "sentences": [...], for the page: the report's, and those on what was as it should be. */
void report_write_overview(const struct report* report, FILE* out);
/* "functions": [...] */
void report_write_functions(const struct report* report, FILE* out);
/* These two read the file once more. */
void report_write_perfetto(const struct report* report, FILE* out);
/* Several recordings are put on one page. False: this build has no page. */
bool report_write_html(const struct report* const* reports, size_t count, FILE* out);
/* What stands in the page for one recording. */
void report_write_page_data(const struct report* report, FILE* out);

#endif
