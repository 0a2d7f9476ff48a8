#include "core/post.h"

#include <phasor.h>
#include <sched.h>

#include "base/alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/mailbox.h"

typedef void (*post_fn)(uv_loop_t* loop, void* data);

struct post {
    struct uv__work mail; /* first */
    post_fn fn;
    void* data;
};

static void run(struct uv__work* mail, int status) {
    struct post* post = PH_CONTAINER_OF(mail, struct post, mail);
    uv_loop_t* loop = mail->loop;
    post_fn fn = post->fn;
    void* data = post->data;
    (void)status;
    ph_free(post);
    PH_DISPATCH(loop, loop, fn, loop, data);
}

int phasor_loop_post(uv_loop_t* loop, post_fn fn, void* data) {
    if (loop == NULL || fn == NULL)
        return UV_EINVAL;
    struct post* post = ph_malloc(sizeof(*post));
    if (post == NULL)
        return UV_ENOMEM;
    *post = (struct post){.mail = {.done = run, .loop = loop}, .fn = fn, .data = data};
    /* As soon as it is pushed the loop may call it, end and be closed: that waits for us. */
    __atomic_add_fetch(&loop->internal.posting, 1, __ATOMIC_SEQ_CST);
    ph_mailbox_push(&loop->internal.mailbox.finished, &post->mail, (void**)&post->mail.next);
    ph_mailbox_wake(loop);
    __atomic_sub_fetch(&loop->internal.posting, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* No request is left, so no other mail of this kind can be there. */
void ph_posts_close(uv_loop_t* loop) {
    while (__atomic_load_n(&loop->internal.posting, __ATOMIC_SEQ_CST) != 0)
        sched_yield();
    ph_take_finished_work(loop);
    for (struct uv__work* mail; (mail = loop->internal.taken.work) != NULL;) {
        loop->internal.taken.work = mail->next;
        ph_free(PH_CONTAINER_OF(mail, struct post, mail));
    }
}
