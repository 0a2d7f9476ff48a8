#include "read/turns.h"

static struct turn* top(struct turns* turns) {
    return turns->depth > 0 ? &turns->open[turns->depth - 1] : NULL;
}

static unsigned add(struct trace_event* events, unsigned count, const struct trace_event* at,
                    enum ph_trace_type type, uint32_t value) {
    events[count] = (struct trace_event){.time = at->time,
                                         .loop = at->loop,
                                         .thread = at->thread,
                                         .type = (uint8_t)type,
                                         .value = value};
    return count + 1;
}

/* Goes on to a phase; those in between had nothing to do. */
static unsigned enter(struct turn* turn, enum ph_phase phase, const struct trace_event* event,
                      struct trace_event* events, unsigned count) {
    while (turn->phase < (int)phase)
        count = add(events, count, event, PH_EV_PHASE, (uint32_t)++turn->phase);
    return count;
}

static unsigned end(struct turns* turns, const struct trace_event* event,
                    struct trace_event* events, unsigned count) {
    struct turn* turn = top(turns);
    if (turn->brief)
        count = enter(turn, PH_PHASE_CLOSING, event, events, count);
    turns->depth--;
    return add(events, count, event, PH_EV_ITERATION_END, 0);
}

/* Of the innermost turn, if it is this loop's and in no callback. */
static bool is_between_callbacks(struct turns* turns, const struct trace_event* event) {
    const struct turn* turn = top(turns);
    return turn != NULL && turn->loop == event->loop && turn->callbacks == 0;
}

static unsigned begin(struct turns* turns, const struct trace_event* event,
                      struct trace_event* events) {
    unsigned count = 0;
    if (is_between_callbacks(turns, event) && top(turns)->brief)
        count = end(turns, event, events, count);
    events[count] = *event;
    events[count++].value &= ~(uint32_t)PH_TURN_IS_BRIEF;
    if (turns->depth == MOST_TURNS)
        return count;
    struct turn* turn = &turns->open[turns->depth++];
    *turn = (struct turn){
        .loop = event->loop, .phase = -1, .brief = (event->value & PH_TURN_IS_BRIEF) != 0};
    return turn->brief ? enter(turn, PH_PHASE_TIMERS, event, events, count) : count;
}

static unsigned on_phase(struct turns* turns, const struct trace_event* event,
                         struct trace_event* events) {
    struct turn* turn = top(turns);
    unsigned count = 0;
    if (is_between_callbacks(turns, event) && turn->brief && event->value < PH_PHASE_COUNT) {
        /* The timers once more, behind everything else. */
        bool again = (int)event->value <= turn->phase;
        count = enter(turn, again ? PH_PHASE_CLOSING : (enum ph_phase)event->value - 1, event,
                      events, count);
        if (!again)
            turn->phase = (int)event->value;
    }
    events[count] = *event;
    return count + 1;
}

/* The phase that something of this kind is in; -1: in any. */
static int phase_of(const struct trace_event* event) {
    if (event->type == PH_EV_WAIT_BEGIN)
        return PH_PHASE_POLL;
    if (event->type != PH_EV_CALLBACK_BEGIN)
        return -1;
    return event->value == PH_CB_IDLE      ? PH_PHASE_IDLE
           : event->value == PH_CB_PREPARE ? PH_PHASE_PREPARE
           : event->value == PH_CB_CHECK   ? PH_PHASE_CHECK
                                           : -1;
}

static unsigned on_beginning(struct turns* turns, const struct trace_event* event,
                             struct trace_event* events) {
    struct turn* turn = top(turns);
    unsigned count = 0;
    int phase = phase_of(event);
    if (phase >= 0 && is_between_callbacks(turns, event) && turn->brief)
        count = enter(turn, (enum ph_phase)phase, event, events, count);
    if (turn != NULL && event->type == PH_EV_CALLBACK_BEGIN)
        turn->callbacks++;
    events[count] = *event;
    return count + 1;
}

static unsigned on_end(struct turns* turns, const struct trace_event* event,
                       struct trace_event* events) {
    const struct turn* turn = top(turns);
    if (turn != NULL && turn->loop == event->loop)
        return end(turns, event, events, 0);
    events[0] = *event;
    return 1;
}

/* uv_run was called inside of a callback of the same loop, and that turn's end is not told. */
static unsigned on_run_end(struct turns* turns, const struct trace_event* event,
                           struct trace_event* events) {
    unsigned count = 0;
    if (is_between_callbacks(turns, event) && top(turns)->brief)
        count = end(turns, event, events, count);
    events[count] = *event;
    return count + 1;
}

unsigned turns_expand(struct turns* turns, const struct trace_event* event,
                      struct trace_event* events) {
    switch (event->type) {
    case PH_EV_ITERATION_BEGIN:
        return begin(turns, event, events);
    case PH_EV_ITERATION_END:
        return on_end(turns, event, events);
    case PH_EV_PHASE:
        return on_phase(turns, event, events);
    case PH_EV_WAIT_BEGIN:
    case PH_EV_CALLBACK_BEGIN:
        return on_beginning(turns, event, events);
    case PH_EV_RUN_END:
        return on_run_end(turns, event, events);
    case PH_EV_CALLBACK_END:
        if (turns->depth > 0 && top(turns)->callbacks > 0)
            top(turns)->callbacks--;
        break;
    case PH_EV_LOST:
    case PH_EV_GAP:
        turns->depth = 0;
        break;
    default:
        break;
    }
    events[0] = *event;
    return 1;
}
