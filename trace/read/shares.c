#include "read/shares.h"

void shares_account(struct shares* shares, const struct trace_event* event, uint64_t time,
                    struct shares_mark* marks, size_t mark_count) {
    bool waits_known = event->value != 0;
    int32_t more = (int32_t)(event->value - shares->waited_text);
    if (waits_known && shares->waits_known && more > 0)
        shares->waited += (uint64_t)more * 1000;
    shares->waits_known = waits_known;
    shares->waited_text = event->value;
    shares->known = true;
    shares->time = time;
    shares->ran = event->detail;
    shares->slept = 0;
    /* What was taken to have run may not have. */
    for (size_t i = 0; i < mark_count; i++) {
        if (marks[i].open && marks[i].ran > shares->ran)
            marks[i].ran = shares->ran;
        marks[i].open = false;
    }
}

static uint64_t ran_until(const struct shares* shares, uint64_t time) {
    uint64_t since = time > shares->time ? time - shares->time : 0;
    return shares->ran + (since > shares->slept ? since - shares->slept : 0);
}

struct shares_mark shares_mark(const struct shares* shares, uint64_t time) {
    return (struct shares_mark){.known = shares->known,
                                .open = true,
                                .time = time,
                                .ran = ran_until(shares, time),
                                .waited = shares->waited,
                                .called = shares->called};
}

struct share shares_since(const struct shares* shares, const struct shares_mark* mark,
                          uint64_t time) {
    struct share share = {.known = shares->known && mark->known,
                          .waits_known = shares->waits_known};
    uint64_t length = time > mark->time ? time - mark->time : 0;
    uint64_t told = shares->time > mark->time ? shares->time - mark->time : 0;
    /* Nothing was heard of it for long: as it was until then. */
    bool is_old = time > shares->time + 2 * (uint64_t)PH_ACCOUNT_MOST_NS && told > 0;
    uint64_t ran = is_old ? shares->ran : ran_until(shares, time);
    share.ran = ran > mark->ran ? ran - mark->ran : 0;
    share.waited = shares->waited - mark->waited;
    uint64_t called = shares->called - mark->called;
    share.waited = share.waited > called ? share.waited - called : 0;
    if (is_old) {
        double more = (double)length / (double)told;
        share.ran = (uint64_t)((double)share.ran * more);
        share.waited = (uint64_t)((double)share.waited * more);
    }
    if (share.ran > length)
        share.ran = length;
    if (share.waited > length - share.ran)
        share.waited = length - share.ran;
    return share;
}

void shares_slept(struct shares* shares, const struct shares_mark* mark, uint64_t time) {
    uint64_t from = mark->time > shares->time ? mark->time : shares->time;
    shares->slept += time > from ? time - from : 0;
    shares->called += shares_since(shares, mark, time).waited;
}
