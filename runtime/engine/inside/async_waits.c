/* Gives what Atomics.waitAsync(view, index, value, timeout) gives. */
JSValue (*js_wait_hook)(JSContext* ctx, JSValueConst* argv);

static JSValue js_atomics_wait_async(JSContext* ctx, JSValueConst this_obj, int argc,
                                     JSValueConst* argv) {
    if (!js_wait_hook)
        return JS_ThrowTypeError(ctx, "Atomics.waitAsync is not available");
    return js_wait_hook(ctx, argv);
}

/* Enters a waiter for the arguments of waitAsync. 1: it waits; 0: the value is another one; 2: its
 * time is over already; -1: it threw. *timeout: milliseconds, or infinity. Told is called once, by
 * any thread, with the lock of all waits held. */
int js_begin_wait(JSContext* ctx, JSValueConst* argv, void (*told)(void* data), void* data,
                  double* timeout, void** wait) {
    int64_t v;
    int32_t v32;
    uint64_t idx;
    void* ptr;
    bool same;
    JSAtomicsWaiter* waiter;
    JSObject* p = js_atomics_get_buf(ctx, argv[0], argv[1], NULL, &idx, 2);
    int size_log2;
    if (!p)
        return -1;
    size_log2 = typed_array_size_log2(p->class_id);
    if (size_log2 == 3) {
        if (JS_ToBigInt64(ctx, &v, argv[2]))
            return -1;
    } else {
        if (JS_ToInt32(ctx, &v32, argv[2]))
            return -1;
        v = v32;
    }
    if (JS_ToFloat64(ctx, timeout, argv[3]))
        return -1;
    if (isnan(*timeout))
        *timeout = INFINITY;
    /* a valueOf may have changed the array */
    if (idx >= p->u.array.count) {
        JS_ThrowRangeError(ctx, "out-of-bound access");
        return -1;
    }
    waiter = js_mallocz(ctx, sizeof(*waiter));
    if (!waiter)
        return -1;
    ptr = p->u.array.u.uint8_ptr + ((uintptr_t)idx << size_log2);
    js_mutex_lock(&js_atomics_mutex);
    same = size_log2 == 3 ? *(int64_t*)ptr == v : *(int32_t*)ptr == v;
    if (same && *timeout > 0) {
        waiter->ptr = ptr;
        waiter->told = told;
        waiter->data = data;
        waiter->linked = true;
        list_add_tail(&waiter->link, &js_atomics_waiter_list);
        *wait = waiter;
    }
    js_mutex_unlock(&js_atomics_mutex);
    if (same && *timeout > 0)
        return 1;
    js_free(ctx, waiter);
    return same ? 2 : 0;
}

bool js_was_told(void* wait) {
    JSAtomicsWaiter* waiter = wait;
    bool told;
    js_mutex_lock(&js_atomics_mutex);
    told = !waiter->linked;
    js_mutex_unlock(&js_atomics_mutex);
    return told;
}

/* Takes a waiter out and frees it; whether it had been told. Called by its own thread. */
bool js_end_wait(JSRuntime* rt, void* wait) {
    JSAtomicsWaiter* waiter = wait;
    bool told;
    js_mutex_lock(&js_atomics_mutex);
    told = !waiter->linked;
    if (!told)
        list_del(&waiter->link);
    js_mutex_unlock(&js_atomics_mutex);
    js_free_rt(rt, waiter);
    return told;
}
