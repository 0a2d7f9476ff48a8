/* Who took the time, by the samples of a callback. */

#include "read/memory.h"
#include "read/stacks.h"

enum { MOST_SHARES = 8 };

static bool is_before(const struct stack_sample* sample, int tid, uint64_t time) {
    return sample->tid != tid ? sample->tid < tid : sample->time < time;
}

const struct stack_sample* stacks_between(const struct stacks* stacks, int tid, uint64_t from,
                                          uint64_t to, size_t* count) {
    size_t low = 0, high = stacks->sample_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&stacks->samples[middle], tid, from))
            low = middle + 1;
        else
            high = middle;
    }
    const struct stack_sample* first = low < stacks->sample_count ? &stacks->samples[low] : NULL;
    *count = 0;
    while (low + *count < stacks->sample_count && first[*count].tid == tid &&
           first[*count].time <= to)
        (*count)++;
    return first;
}

/* By node: what it and all inside of it took. A child has a higher number than its parent. */
static uint64_t* sum_up(const struct stacks* stacks, const struct stack_sample* samples,
                        size_t count, uint64_t* total) {
    uint64_t* sums = must(calloc(stacks->node_count + 1, sizeof(*sums)));
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        sums[samples[i].node] += samples[i].weight;
        *total += samples[i].weight;
    }
    for (size_t i = stacks->node_count; i-- > 0;)
        if (stacks->nodes[i].parent != NO_NODE)
            sums[stacks->nodes[i].parent] += sums[i];
    return sums;
}

/* The next node inwards on the way with half of the time; of two such, the first. NO_NODE: none. */
static uint32_t step_inwards(const struct stacks* stacks, const uint64_t* sums, uint64_t total,
                             uint32_t at) {
    for (size_t i = at == NO_NODE ? 0 : at + 1; i < stacks->node_count; i++)
        if (stacks->nodes[i].parent == at && sums[i] != 0 && sums[i] * 2 >= total)
            return (uint32_t)i;
    return NO_NODE;
}

/* By frame: the time of all stacks that it is in, wherever. */
static uint64_t* sum_up_frames(const struct stacks* stacks, const struct stack_sample* samples,
                               size_t count) {
    uint64_t* sums = must(calloc(stacks->frame_count + 1, sizeof(*sums)));
    size_t* last = must(calloc(stacks->frame_count + 1, sizeof(*last)));
    for (size_t i = 0; i < count; i++)
        for (uint32_t at = samples[i].node; at != NO_NODE; at = stacks->nodes[at].parent) {
            uint32_t frame = stacks->nodes[at].frame;
            if (last[frame] == i + 1)
                continue;
            last[frame] = i + 1;
            sums[frame] += samples[i].weight;
        }
    free(last);
    return sums;
}

static bool is_named(const struct stacks* stacks, uint32_t name) {
    return stacks->file->names[name].function[0] != '(';
}

static bool has_name(const struct stacks* stacks, const struct stack_frame* frame) {
    return is_named(stacks, frame->name);
}

/* What native code is called: what it is in its language; else what the program had called in its
 * runtime, which led there; else by its own name. */
static uint32_t name_native(const struct stacks* stacks, const struct stack_frame* native,
                            uint32_t callee) {
    const char* function = stacks->file->names[native->name].function;
    if (has_name(stacks, native) && (callee == 0 || strncmp(function, "node::", 6) != 0))
        return native->name;
    return callee;
}

/* A function of the program that was called in many ways: on the heaviest stack, the one with most
 * of the time, and that at least half of it. */
static struct culprit from_everywhere(const struct stacks* stacks,
                                      const struct stack_sample* samples, size_t count,
                                      uint64_t total) {
    struct culprit found = {0};
    double share;
    uint64_t most = 0;
    bool in_native = false;
    uint32_t native = 0;
    uint64_t* sums = sum_up_frames(stacks, samples, count);
    for (uint32_t at = stacks_heaviest(stacks, samples, count, &share); at != NO_NODE;
         at = stacks->nodes[at].parent) {
        const struct stack_frame* frame = &stacks->frames[stacks->nodes[at].frame];
        uint64_t sum = sums[stacks->nodes[at].frame];
        if (frame->is_native) {
            in_native = true;
            native = has_name(stacks, frame) ? frame->name : 0;
        }
        if (!frame->own || sum <= most || sum * 2 < total)
            continue;
        most = sum;
        found = (struct culprit){.name = frame->name,
                                 .own = true,
                                 .engine = frame->engine,
                                 .in_native = in_native,
                                 .native = native};
    }
    free(sums);
    return found;
}

size_t stacks_shares(const struct stacks* stacks, const struct stack_sample* samples, size_t count,
                     struct stack_share* shares, size_t most) {
    size_t found = 0;
    uint64_t total;
    uint64_t* sums = sum_up(stacks, samples, count, &total);
    /* By the frame that is the program's while none around it is. A parent has a lower number. */
    bool* inside = must(calloc(stacks->node_count + 1, sizeof(*inside)));
    for (size_t i = 0; i < stacks->node_count; i++) {
        const struct stack_node* node = &stacks->nodes[i];
        const struct stack_frame* frame = &stacks->frames[node->frame];
        bool around = node->parent != NO_NODE && inside[node->parent];
        inside[i] = around || frame->own;
        if (around || !frame->own || sums[i] == 0)
            continue;
        struct stack_share share = {frame->name, (double)sums[i] / (double)total};
        size_t at = 0;
        while (at < found && shares[at].name != share.name)
            at++;
        if (at < found)
            share.share += shares[at].share;
        else if (found < most)
            found++;
        else if (share.share <= shares[--at].share)
            continue;
        for (; at > 0 && shares[at - 1].share < share.share; at--)
            shares[at] = shares[at - 1];
        shares[at] = share;
    }
    free(inside);
    free(sums);
    return found;
}

/* Most of the time went to functions of the program, none of which had half of it. */
static bool are_several(const struct stacks* stacks, const struct stack_sample* samples,
                        size_t count) {
    struct stack_share shares[MOST_SHARES];
    double together = 0;
    for (size_t i = stacks_shares(stacks, samples, count, shares, MOST_SHARES); i-- > 0;)
        together += shares[i].share;
    return together >= 0.5;
}

struct culprit stacks_culprit(const struct stacks* stacks, const struct stack_sample* samples,
                              size_t count) {
    struct culprit own = {0}, any = {0};
    uint64_t total;
    uint32_t callee = 0; /* of `own`, in its runtime */
    bool engine = false;
    if (count == 0)
        return any;
    uint64_t* sums = sum_up(stacks, samples, count, &total);
    for (uint32_t at = step_inwards(stacks, sums, total, NO_NODE); at != NO_NODE;
         at = step_inwards(stacks, sums, total, at)) {
        const struct stack_frame* frame = &stacks->frames[stacks->nodes[at].frame];
        engine |= frame->engine;
        any.in_native = !engine;
        if (frame->is_native) {
            own.in_native = any.in_native = true;
            any.native = has_name(stacks, frame) ? frame->name : 0;
            own.native = own.name != 0 ? name_native(stacks, frame, callee) : any.native;
            break;
        }
        struct culprit here = {.name = frame->name, .own = frame->own, .engine = frame->engine};
        if (frame->own) {
            here.caller = own.caller;
            if (own.name != 0 && own.name != here.name && is_named(stacks, own.name))
                here.caller = own.name;
            own = here;
            callee = 0;
        } else if (callee == 0 && has_name(stacks, frame)) {
            callee = frame->name;
        }
        if (frame->engine)
            any = here;
    }
    free(sums);
    if (own.name == 0 && !any.in_native)
        own = from_everywhere(stacks, samples, count, total);
    if (own.name == 0 && any.engine && are_several(stacks, samples, count))
        any = (struct culprit){0};
    /* Who native code returned to did not call it, unless it is known. */
    if (own.name == 0 && any.in_native)
        any.name = 0;
    return own.name != 0 ? own : any;
}

bool stacks_is_own(const struct stacks* stacks, uint32_t name) {
    for (size_t i = 0; i < stacks->frame_count; i++)
        if (stacks->frames[i].name == name)
            return stacks->frames[i].own;
    return false;
}

uint32_t stacks_entry(const struct stacks* stacks, const struct stack_sample* sample) {
    uint32_t name = 0;
    for (uint32_t at = sample->node; at != NO_NODE; at = stacks->nodes[at].parent)
        if (stacks->frames[stacks->nodes[at].frame].own)
            name = stacks->frames[stacks->nodes[at].frame].name;
    return name;
}

/* Without what it waited for a processor. */
static uint64_t own_time(const struct span* span) {
    uint64_t length = span->end - span->start, queued = span->has_shares ? span->queued : 0;
    return length > queued ? length - queued : 0;
}

void stacks_name_spans(struct stacks* stacks, const struct model* model, struct span* spans,
                       size_t count) {
    enum { MOST_STEPS = 500000000 };
    for (size_t i = 0; i < count && stacks->sample_count > 0 && stacks->steps < MOST_STEPS; i++) {
        struct span* span = &spans[i];
        size_t found;
        if ((span->kind != SPAN_CALLBACK && span->kind != SPAN_OUTSIDE) ||
            span->end - span->start < STACKS_BRIEF_NS || span->callback == PH_CB_WORK ||
            span->track >= model->track_count)
            continue;
        const struct stack_sample* samples =
            stacks_between(stacks, model->tracks[span->track].tid, model->began + span->start,
                           model->began + span->end, &found);
        for (size_t k = 0; k < found; k++)
            stacks->samples[samples - stacks->samples + (ptrdiff_t)k].used = true;
        stacks->steps += found;
        if (span->end - span->start < STACKS_LONG_NS)
            continue;
        struct culprit culprit = stacks_culprit(stacks, samples, found);
        /* A thread that had no processor answers where it is by then, which took no time. */
        bool ran_long = own_time(span) >= STACKS_LONG_NS;
        if (!ran_long && !culprit.own)
            culprit = (struct culprit){0};
        stacks->steps += found > 0 ? found + stacks->node_count : 1;
        span->culprit = culprit.name;
        span->in_native = culprit.in_native;
        span->native = culprit.native;
        if (culprit.engine && ran_long && !model->is_script && span->function != 0 &&
            span->name == 0)
            span->called = culprit.name, span->caller = culprit.caller;
    }
}

uint32_t stacks_branch(const struct stacks* stacks, const struct stack_sample* samples,
                       size_t count, double* share) {
    uint64_t total;
    uint64_t* sums = sum_up(stacks, samples, count, &total);
    uint32_t at = NO_NODE, next;
    bool own = false;
    while ((next = step_inwards(stacks, sums, total, at)) != NO_NODE) {
        at = next;
        own |= stacks->frames[stacks->nodes[at].frame].own;
    }
    *share = at != NO_NODE ? (double)sums[at] / (double)total : 0;
    free(sums);
    return own ? at : stacks_heaviest(stacks, samples, count, share);
}

uint32_t stacks_heaviest(const struct stacks* stacks, const struct stack_sample* samples,
                         size_t count, double* share) {
    uint64_t total = 0;
    uint32_t worst = NO_NODE;
    uint64_t* own = must(calloc(stacks->node_count + 1, sizeof(*own)));
    for (size_t i = 0; i < count; i++) {
        uint32_t node = samples[i].node;
        own[node] += samples[i].weight;
        total += samples[i].weight;
        if (worst == NO_NODE || own[node] > own[worst])
            worst = node;
    }
    *share = total > 0 && worst != NO_NODE ? (double)own[worst] / (double)total : 0;
    free(own);
    return worst;
}
