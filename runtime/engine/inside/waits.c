/* Ends the wait that a thread of this runtime is in, and all that it would begin: they throw what
 * no script can catch. Called by any thread. */
void js_end_waits(JSRuntime* rt) {
    struct list_head* el;
    js_mutex_lock(&js_atomics_mutex);
    rt->waits_are_over = true;
    list_for_each(el, &js_atomics_waiter_list) {
        JSAtomicsWaiter* waiter = list_entry(el, JSAtomicsWaiter, link);
        if (waiter->rt == rt)
            js_cond_signal(&waiter->cond);
    }
    js_mutex_unlock(&js_atomics_mutex);
}
