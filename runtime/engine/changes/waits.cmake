# A thread that sleeps in Atomics.wait can be stopped from outside (runtime/bindings/worker.c).
without("workers that wait in Atomics.wait do not end when they are told to")
replace("    JSInterruptHandler *interrupt_handler;
    void *interrupt_opaque;"
        "    JSInterruptHandler *interrupt_handler;
    void *interrupt_opaque;
    bool waits_are_over; /* guarded by js_atomics_mutex */")
replace("    js_cond_t cond;
    int32_t *ptr;
} JSAtomicsWaiter;"
        "    js_cond_t cond;
    int32_t *ptr;
    JSRuntime *rt;
} JSAtomicsWaiter;")
replace("    waiter = &waiter_s;
    waiter->ptr = ptr;"
        "    if (ctx->rt->waits_are_over) {
        js_mutex_unlock(&js_atomics_mutex);
        if (!__js_poll_interrupts(ctx))
            JS_ThrowInterrupted(ctx);
        return JS_EXCEPTION;
    }
    waiter = &waiter_s;
    waiter->rt = ctx->rt;
    waiter->ptr = ptr;")
replace("    js_mutex_unlock(&js_atomics_mutex);
    js_cond_destroy(&waiter->cond);"
        "    res = ctx->rt->waits_are_over;
    js_mutex_unlock(&js_atomics_mutex);
    js_cond_destroy(&waiter->cond);
    if (res) {
        if (!__js_poll_interrupts(ctx))
            JS_ThrowInterrupted(ctx);
        return JS_EXCEPTION;
    }")
append_file(waits.c)
