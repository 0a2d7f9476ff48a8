/*
 * What runs beside the loop is waited for, so that it is known what a poll finds.
 *
 * The pool has one thread, which a gate holds up except while the machine settles: what is queued
 * in between has not begun, and can be cancelled; what was queued before has been done and handed
 * to its loop. Children that end by themselves have ended.
 */

#include <stdlib.h>
#include <sys/wait.h>

#include "machine.h"

struct gate {
    uv_work_t work;
    uv_sem_t reached;
    uv_sem_t open;
};

enum { CHILDREN = 64 };

static uv_loop_t gates_loop;
static struct gate* gate;
static int slow_requests;
static int children[CHILDREN];
static int child_count;

static void at_gate(uv_work_t* work) {
    struct gate* here = work->data;
    uv_sem_post(&here->reached);
    uv_sem_wait(&here->open);
}

static void after_gate(uv_work_t* work, int status) {
    struct gate* here = work->data;
    (void)status;
    uv_sem_destroy(&here->reached);
    uv_sem_destroy(&here->open);
    free(here);
}

/* Returns when the pool's thread stands at a new gate: all that was queued before is done. */
static void close_gate(void) {
    struct gate* next = calloc(1, sizeof(*next));
    next->work.data = next;
    uv_sem_init(&next->reached, 0);
    uv_sem_init(&next->open, 0);
    uv_queue_work(&gates_loop, &next->work, at_gate, after_gate);
    if (gate != NULL)
        uv_sem_post(&gate->open);
    uv_sem_wait(&next->reached);
    gate = next;
}

bool is_pool_held(void) {
    return gate != NULL;
}

void pool_is_used(bool slow) {
    slow_requests += slow;
    if (gate != NULL)
        return;
    uv_loop_init(&gates_loop);
    close_gate();
}

void child_is_expected(int pid) {
    if (child_count < CHILDREN)
        children[child_count++] = pid;
}

void settle_children(void) {
    while (child_count > 0) {
        siginfo_t info;
        waitid(P_PID, (id_t)children[--child_count], &info, WEXITED | WNOWAIT);
    }
}

void settle(void) {
    settle_children();
    if (gate != NULL) {
        /* A slow request may let one other pass before the next slow one. */
        for (; slow_requests > 0; slow_requests--)
            close_gate();
        close_gate();
    }
}

void settle_end(void) {
    if (gate == NULL)
        return;
    uv_sem_post(&gate->open);
    running = NULL;
    uv_run(&gates_loop, UV_RUN_DEFAULT);
    uv_loop_close(&gates_loop);
}
