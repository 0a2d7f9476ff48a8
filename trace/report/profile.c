/* Stacks of what took long, for tools that read profiles: folded lines, the .cpuprofile of Chrome
 * DevTools, and rows for Perfetto. A sample stands for the time before it that is its weight. */

#include "report/profile.h"

#include <inttypes.h>

#include "read/memory.h"
#include "read/stacks.h"

enum { MOST_FRAMES = 256 };

static bool is_in(const struct report* report, const struct stack_sample* sample) {
    uint64_t time = sample->time - report->model.began;
    return sample->time >= report->model.began && time >= report->model.from &&
           time <= report->model.to;
}

/* From the outermost frame to the node; how many there are. */
static size_t find_way(const struct stacks* stacks, uint32_t node, uint32_t* way) {
    size_t depth = 0, count = 0;
    for (uint32_t at = node; at != NO_NODE && count < MOST_FRAMES; at = stacks->nodes[at].parent)
        count++;
    for (uint32_t at = node; depth < count; at = stacks->nodes[at].parent)
        way[count - ++depth] = at;
    return count;
}

static const char* thread_name(const struct report* report, int tid) {
    for (size_t i = 0; i < report->model.track_count; i++)
        if (report->model.tracks[i].tid == tid && report->model.tracks[i].kind == TRACK_LOOP)
            return report->model.tracks[i].name;
    return "thread";
}

/* Folded */

/* Blanks and semicolons separate there. */
static void write_plain(const char* text, FILE* out) {
    for (; *text != '\0'; text++)
        fputc(*text == ';' || (unsigned char)*text < ' ' ? '_' : *text, out);
}

static void write_line(const struct report* report, int tid, uint32_t node, uint64_t time,
                       FILE* out) {
    const struct stacks* stacks = report->file->stacks;
    uint32_t way[MOST_FRAMES];
    char name[1200];
    size_t count = find_way(stacks, node, way);
    write_plain(thread_name(report, tid), out);
    for (size_t i = 0; i < count; i++) {
        fputc(';', out);
        write_plain(report_name(report, stacks->frames[stacks->nodes[way[i]].frame].name, name,
                                sizeof(name)),
                    out);
    }
    fprintf(out, " %" PRIu64 "\n", (time + 500) / 1000);
}

/* Samples are by thread: the sums of one are written when the next one begins. */
void report_write_folded(const struct report* report, FILE* out) {
    const struct stacks* stacks = report->file->stacks;
    uint64_t* sums = must(calloc(stacks->node_count + 1, sizeof(*sums)));
    for (size_t i = 0, first = 0; i < stacks->sample_count; i++) {
        const struct stack_sample* sample = &stacks->samples[i];
        if (is_in(report, sample) && sample->node != NO_NODE)
            sums[sample->node] += sample->weight;
        if (i + 1 < stacks->sample_count && stacks->samples[i + 1].tid == sample->tid)
            continue;
        for (; first <= i; first++) {
            uint32_t node = stacks->samples[first].node;
            if (node == NO_NODE || sums[node] == 0)
                continue;
            write_line(report, sample->tid, node, sums[node], out);
            sums[node] = 0;
        }
    }
    free(sums);
}

/* .cpuprofile */

enum { ROOT = 1, IDLE = 2, FIRST = 3 /* ids */ };

static int choose_thread(const struct report* report) {
    return report->loop_count > 0 ? report->model.tracks[report->loops[0].track].tid
                                  : (int)report->file->header.pid;
}

static void write_call_frame(const char* function, const char* file, unsigned line, FILE* out) {
    fputs("\"callFrame\": {\"functionName\": ", out);
    report_print_json(out, function);
    fputs(", \"scriptId\": \"0\", \"url\": ", out);
    report_print_json(out, file);
    fprintf(out, ", \"lineNumber\": %d, \"columnNumber\": %d}", (int)line - 1, line > 0 ? 0 : -1);
}

/* The children of each node as a list: the first one of all, and the next one of each; + 1, 0:
 * there is none. The outermost are those of the node behind the last. */
struct family {
    uint32_t* first;
    uint32_t* next;
};

static struct family find_family(const struct stacks* stacks) {
    size_t count = stacks->node_count;
    struct family family = {must(calloc(count + 1, sizeof(uint32_t))),
                            must(calloc(count + 1, sizeof(uint32_t)))};
    for (size_t i = count; i > 0; i--) {
        uint32_t parent = stacks->nodes[i - 1].parent;
        uint32_t* list = &family.first[parent == NO_NODE ? count : parent];
        family.next[i - 1] = *list;
        *list = (uint32_t)i;
    }
    return family;
}

static void write_children(const struct family* family, size_t parent, const char* before,
                           FILE* out) {
    const char* comma = *before != '\0' ? ", " : "";
    fprintf(out, ", \"children\": [%s", before);
    for (uint32_t at = family->first[parent]; at != 0; at = family->next[at - 1]) {
        fprintf(out, "%s%" PRIu32, comma, at - 1 + FIRST);
        comma = ", ";
    }
    fputs("]}", out);
}

static void write_nodes(const struct report* report, FILE* out) {
    const struct stacks* stacks = report->file->stacks;
    struct family family = find_family(stacks);
    fprintf(out, "{\"nodes\": [\n{\"id\": %d, ", ROOT);
    write_call_frame("(root)", "", 0, out);
    write_children(&family, stacks->node_count, "2", out);
    fprintf(out, ",\n{\"id\": %d, ", IDLE);
    write_call_frame("(idle)", "", 0, out);
    fputc('}', out);
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        const struct stack_frame* frame = &stacks->frames[stacks->nodes[i].frame];
        const struct trace_name* name = &report->file->names[frame->name];
        fprintf(out, ",\n{\"id\": %" PRIu32 ", ", i + FIRST);
        write_call_frame(name->function != NULL ? name->function : "",
                         name->file != NULL ? name->file : "", name->line, out);
        write_children(&family, i, "", out);
    }
    free(family.first);
    free(family.next);
}

/* One list, of which each entry lasts until the next: what is between samples is idle. `deltas`:
 * the times instead of the nodes. */
static void write_samples(const struct report* report, bool deltas, FILE* out) {
    const struct stacks* stacks = report->file->stacks;
    int tid = choose_thread(report);
    uint64_t last = 0, idle_since = 0;
    const char* comma = "";
    for (size_t i = 0; i < stacks->sample_count; i++) {
        const struct stack_sample* sample = &stacks->samples[i];
        if (sample->tid != tid || !is_in(report, sample) || sample->node == NO_NODE)
            continue;
        uint64_t end = sample->time - report->model.began;
        uint64_t begin = end > sample->weight ? end - sample->weight : 0;
        begin = begin > idle_since ? begin : idle_since;
        const uint64_t times[] = {idle_since, begin};
        for (int k = begin > idle_since ? 0 : 1; k < 2; k++) {
            if (deltas)
                fprintf(out, "%s%" PRIu64, comma, times[k] / 1000 - last / 1000);
            else
                fprintf(out, "%s%" PRIu32, comma, k == 0 ? IDLE : sample->node + FIRST);
            comma = ", ";
            last = times[k];
        }
        idle_since = end;
    }
    if (deltas)
        fprintf(out, "%s%" PRIu64, comma, idle_since / 1000 - last / 1000);
    else
        fprintf(out, "%s%d", comma, IDLE);
}

void report_write_cpuprofile(const struct report* report, FILE* out) {
    uint64_t began = report->model.began / 1000;
    write_nodes(report, out);
    fprintf(out, "],\n\"startTime\": %" PRIu64 ", \"endTime\": %" PRIu64 ",\n\"samples\": [", began,
            began + report->model.duration / 1000);
    write_samples(report, false, out);
    fputs("],\n\"timeDeltas\": [", out);
    write_samples(report, true, out);
    fputs("]}\n", out);
}

/* Rows for Perfetto */

struct row {
    uint32_t way[MOST_FRAMES];
    uint64_t began[MOST_FRAMES];
    size_t count;
    uint64_t end;
};

/* The innermost ones first, down to so many. */
static void close_row(const struct report* report, struct row* row, size_t left, int tid,
                      stack_slice* give, void* context) {
    const struct stacks* stacks = report->file->stacks;
    char name[1200];
    while (row->count > left) {
        size_t at = --row->count;
        const char* function = report_name(
            report, stacks->frames[stacks->nodes[row->way[at]].frame].name, name, sizeof(name));
        give(context, tid, function, row->began[at], row->end);
    }
}

/* Frames that two samples in a row have in common go on. */
void report_give_stack_slices(const struct report* report, stack_slice* give, void* context) {
    const struct stacks* stacks = report->file->stacks;
    static struct row row;
    uint32_t way[MOST_FRAMES];
    int tid = 0;
    row.count = 0;
    for (size_t i = 0; i < stacks->sample_count; i++) {
        const struct stack_sample* sample = &stacks->samples[i];
        if (!is_in(report, sample) || sample->node == NO_NODE)
            continue;
        uint64_t end = sample->time - report->model.began;
        uint64_t begin = end > sample->weight ? end - sample->weight : 0;
        size_t count = find_way(stacks, sample->node, way), same = 0;
        if (sample->tid == tid && begin <= row.end + 1000)
            while (same < count && same < row.count && way[same] == row.way[same])
                same++;
        close_row(report, &row, same, tid, give, context);
        begin = sample->tid == tid && begin < row.end ? row.end : begin;
        for (row.count = same; row.count < count; row.count++) {
            row.way[row.count] = way[row.count];
            row.began[row.count] = begin;
        }
        row.end = end;
        tid = sample->tid;
    }
    close_row(report, &row, 0, tid, give, context);
}
