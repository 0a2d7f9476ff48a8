/* From other threads to a loop: a stack of mail that everybody may push on, and the loop's async.
 */
#include "scheduler.h"

void go__mail_take(struct go__scheduler* s) {
    struct go__mail* mail = atomic_exchange_explicit(&s->mail, NULL, memory_order_acquire);
    struct go__mail* ordered = NULL;
    while (mail != NULL) {
        struct go__mail* next = mail->next;
        mail->next = ordered;
        ordered = mail;
        mail = next;
    }
    while (ordered != NULL) {
        struct go__mail* next = ordered->next;
        ordered->run(ordered);
        ordered = next;
    }
    go__run(s);
}

static void on_mail(uv_async_t* async) {
    go__mail_take(GO_OF(async, struct go__scheduler, async));
}

int go__mail_open(struct go__scheduler* s) {
    if (s->has_async)
        return 0;
    int status = uv_async_init(s->loop, &s->async, on_mail);
    if (status != 0)
        return status;
    s->has_async = true;
    s->handles++;
    if (s->expected == 0)
        uv_unref((uv_handle_t*)&s->async);
    return 0;
}

void go__mail_send(struct go__scheduler* s, struct go__mail* mail) {
    struct go__mail* first = atomic_load_explicit(&s->mail, memory_order_relaxed);
    /* As soon as it is pushed the loop may take it, and may be closed: that waits for this thread.
     */
    atomic_fetch_add_explicit(&s->senders, 1, memory_order_relaxed);
    do
        mail->next = first;
    while (!atomic_compare_exchange_weak_explicit(&s->mail, &first, mail, memory_order_release,
                                                  memory_order_relaxed));
    uv_async_send(&s->async);
    atomic_fetch_sub_explicit(&s->senders, 1, memory_order_release);
}

void go__mail_expect(struct go__scheduler* s, int change) {
    if (change > 0 && s->expected++ == 0)
        uv_ref((uv_handle_t*)&s->async);
    else if (change < 0 && --s->expected == 0)
        uv_unref((uv_handle_t*)&s->async);
}
