/* Who runs next, waiting and waking. */
#include "waiter.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waiting.h"

/* After so many switches without going back to the loop, it has a turn. */
enum { BUDGET = 256, TRIM_EVERY_MS = 1000, STACKS_TO_KEEP = 64 };

#if GO_WITH_ASAN || GO_WITH_TSAN
const size_t GO_STACK_DEFAULT = 256 << 10;
#else
const size_t GO_STACK_DEFAULT = 64 << 10;
#endif

static __thread struct go__scheduler* here __attribute__((tls_model("initial-exec")));

/* Not inlined: a coroutine may go on in another thread, if its loop does, and a compiler would
 * remember where this thread's variable is. */
__attribute__((noinline)) struct go__scheduler* go__here(void) {
    __asm__ volatile("");
    return here;
}

/* Who starts another goes on before anybody else does, and before the loop. */
static void push_starter(struct go__scheduler* s, go_t* go) {
    go->state = GO__READY;
    go->next = s->starters;
    s->starters = go;
}

int go__suspend(struct go__scheduler* s, const char* what, go__abandon abandon, void* data,
                uint64_t deadline) {
    return go__suspend_inline(s, what, abandon, data, deadline);
}

void go__ready(go_t* go, int status) {
    go__ready_inline(go, status);
}

void go__interrupt(go_t* go, int why) {
    if (go->abandon == NULL || go->abandon(go->data, why))
        go__ready(go, why);
}

static void on_turn(uv_idle_t* turn) {
    struct go__scheduler* s = GO_OF(turn, struct go__scheduler, turn);
    go__run(s);
    if (s->ready_first == NULL)
        uv_idle_stop(turn);
}

static void run_in_next_turn(struct go__scheduler* s) {
    if (!s->has_turn) {
        uv_idle_init(s->loop, &s->turn);
        s->has_turn = true;
        s->handles++;
    }
    uv_idle_start(&s->turn, on_turn);
}

static void on_trim(uv_timer_t* timer) {
    struct go__scheduler* s = GO_OF(timer, struct go__scheduler, trimmer);
    if (go__stack_trim(s, false) <= STACKS_TO_KEEP) {
        uv_timer_stop(timer);
        s->trimming = false;
    }
}

static void trim_later(struct go__scheduler* s) {
    if (!s->has_trimmer) {
        uv_timer_init(s->loop, &s->trimmer);
        uv_unref((uv_handle_t*)&s->trimmer);
        s->has_trimmer = true;
        s->handles++;
    }
    uv_timer_start(&s->trimmer, on_trim, TRIM_EVERY_MS, TRIM_EVERY_MS);
    s->trimming = true;
}

void go__run(struct go__scheduler* s) {
    if (s->current != NULL || (s->ready_first == NULL && s->starters == NULL))
        return;
    struct go__scheduler* outer = here;
    if (!pthread_equal(s->thread, pthread_self())) {
        s->thread = pthread_self();
        go__overflow_watch();
    }
    here = s;
    s->budget = BUDGET;
    s->current = go__pop(s);
    s->current->state = GO__RUNNING;
    go__context_switch(&s->main, &s->current->context, false);
    here = outer;
    if (s->ready_first != NULL)
        run_in_next_turn(s);
    if (!s->trimming && s->stacks - s->live > STACKS_TO_KEEP)
        trim_later(s);
}

static void end_without_groups(const go_t* go) {
    fprintf(stderr,
            "phasor_go: coroutine \"%s\" has ended without waiting for a group that it began "
            "(go_group_wait)\n",
            go->name[0] != '\0' ? go->name : "(no name)");
    abort();
}

static void run_coroutine(void* data) {
    go_t* go = data;
    struct go__scheduler* s = go->scheduler;
    go__context_entered();
    int result = go->fn(go->arg);
    if (go->groups != 0)
        end_without_groups(go);
    go__trace(go, GO__ENDS, NULL);
    go->status = result;
    go->state = GO__ENDED;
    s->live--;
    for (struct go_link* link; (link = go__list_take(&go->joiners)) != NULL;)
        go__waiter_ready(link, 0);
    if (go->group != NULL)
        go__group_leave(go, result);
    go__stack_check(go);
    if (!go->held)
        go__stack_give(go);
    go__switch_away(s, go, true);
    abort();
}

int go__begin(struct go__scheduler* s, const go_options_t* options, go_fn fn, void* arg,
              go_group_t* group, go_t** handle) {
    go_t* go = go__stack_take(s, options != NULL ? options->stack : 0);
    if (go == NULL)
        return UV_ENOMEM;
    go->fn = fn;
    go->arg = arg;
    go->cancelled = go->shields = 0;
    go->held = handle != NULL;
    go->groups = 0;
    go->what = NULL;
    go->group = group;
    go->name[0] = '\0';
    if (options != NULL && options->name != NULL)
        snprintf(go->name, sizeof(go->name), "%s", options->name);
    if (group != NULL)
        go__group_enter(go);
    s->live++;
    go__context_make(&go->context, go->low + go__page, go->size - go__page - go->shift,
                     run_coroutine, go);
    if (handle != NULL)
        *handle = go;
    go__trace(go, GO__STARTS, go->name);
    go_t* starter = s->current;
    if (starter == NULL) {
        push_starter(s, go);
        go__run(s);
        return 0;
    }
    push_starter(s, starter);
    s->current = go;
    go->state = GO__RUNNING;
    go__stack_check(starter);
    go__context_switch(&starter->context, &go->context, false);
    return 0;
}

/* Nobody else is ready, or the loop is next: it has a turn. */
static void yield_to_loop(struct go__scheduler* s, go_t* go) {
    if (s->ready_first == NULL)
        s->budget = 0;
    go__push(s, go);
    go__switch_away(s, go, false);
}

/* Not inlined either: so the thread's variable is looked up once, before the switch. */
__attribute__((noinline)) int go_yield(void) {
    struct go__scheduler* s = here;
    if (s == NULL)
        return UV_EINVAL;
    go_t *go = s->current, *to = s->ready_first;
    if (to == NULL || s->starters != NULL || s->budget <= 0) {
        yield_to_loop(s, go);
    } else {
        /* The way that is gone most: from one that is ready to another. */
        s->budget--;
        s->ready_last->next = go;
        s->ready_last = go;
        s->ready_first = to->next;
        go->next = NULL;
        go->state = GO__READY;
        to->state = GO__RUNNING;
        s->current = to;
        go__stack_check(go);
        go__context_switch(&go->context, &to->context, false);
    }
    return go->cancelled && go->shields == 0 ? UV_ECANCELED : 0;
}

int go_sleep(uint64_t ms) {
    struct go__scheduler* s = go__here();
    if (s == NULL)
        return UV_EINVAL;
    if (ms == 0)
        return go_yield();
    int status = go__suspend(s, "sleep", NULL, NULL, go_after(ms));
    return status == UV_ETIMEDOUT ? 0 : status;
}
