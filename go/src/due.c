/* Deadlines: a heap with four children to a node, and one timer of the loop for its top. */
#include <stdlib.h>

#include "scheduler.h"

int go__due_reserve(struct go__scheduler* s, size_t count) {
    if (count <= s->due_room)
        return 0;
    size_t room = s->due_room * 2 > count ? s->due_room * 2 : count;
    struct go__due* due = realloc(s->due, room * sizeof(*due));
    if (due == NULL)
        return UV_ENOMEM;
    s->due = due;
    s->due_room = room;
    return 0;
}

static bool is_before(const struct go__due* a, const struct go__due* b) {
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void put(struct go__scheduler* s, size_t place, struct go__due due) {
    s->due[place] = due;
    due.go->due_place = place;
}

static void move_up(struct go__scheduler* s, size_t place, struct go__due due) {
    while (place > 0) {
        size_t parent = (place - 1) / 4;
        if (!is_before(&due, &s->due[parent]))
            break;
        put(s, place, s->due[parent]);
        place = parent;
    }
    put(s, place, due);
}

static void move_down(struct go__scheduler* s, size_t place, struct go__due due) {
    for (;;) {
        size_t first = place * 4 + 1, best = first;
        if (first >= s->due_count)
            break;
        for (size_t i = first + 1; i < first + 4 && i < s->due_count; i++)
            if (is_before(&s->due[i], &s->due[best]))
                best = i;
        if (!is_before(&s->due[best], &due))
            break;
        put(s, place, s->due[best]);
        place = best;
    }
    put(s, place, due);
}

static void on_timer(uv_timer_t* timer);

/* The timer comes for the top, or earlier: it is not told when the top goes. */
static void arm(struct go__scheduler* s) {
    uint64_t time = s->due[0].time;
    if (time >= s->armed)
        return;
    uint64_t now = uv_now(s->loop);
    uv_timer_start(&s->timer, on_timer, time > now ? time - now : 0, 0);
    s->armed = time;
}

static void on_timer(uv_timer_t* timer) {
    struct go__scheduler* s = GO_OF(timer, struct go__scheduler, timer);
    uint64_t now = uv_now(s->loop);
    s->armed = UINT64_MAX;
    while (s->due_count > 0 && s->due[0].time <= now) {
        go_t* go = s->due[0].go;
        go__due_remove(s, go);
        go__interrupt(go, UV_ETIMEDOUT);
    }
    if (s->due_count > 0)
        arm(s);
    go__run(s);
}

void go__due_add(struct go__scheduler* s, go_t* go, uint64_t time) {
    if (!s->has_timer) {
        uv_timer_init(s->loop, &s->timer);
        s->has_timer = true;
        s->handles++;
        s->armed = UINT64_MAX;
    }
    if (s->due_count++ == 0)
        uv_ref((uv_handle_t*)&s->timer);
    go->timed = 1;
    move_up(s, s->due_count - 1, (struct go__due){time, s->due_order++, go});
    if (s->due[0].go == go)
        arm(s);
}

void go__due_remove(struct go__scheduler* s, go_t* go) {
    size_t place = go->due_place;
    go->timed = 0;
    struct go__due last = s->due[--s->due_count];
    if (last.go != go) {
        if (place > 0 && is_before(&last, &s->due[(place - 1) / 4]))
            move_up(s, place, last);
        else
            move_down(s, place, last);
    }
    if (s->due_count == 0)
        uv_unref((uv_handle_t*)&s->timer);
}
