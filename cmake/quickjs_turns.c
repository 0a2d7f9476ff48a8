
/* What our runtime adds at the end of the engine's source so that turns cost less; see
 * quickjs.cmake.
 *
 * An await of a plain value or of a settled promise queues its continuation directly: the promise,
 * the two functions and the two reactions that the engine makes for it are seen by nobody. For a
 * pending promise one function serves both outcomes. The promises of async functions and of then
 * have no functions that settle them: where the engine keeps those, it keeps the promise itself.
 * The order of jobs stays what it was. */

/* How much the heap may grow before cycles are searched again. The last search began when the heap
 * had reached the threshold; if it found little, the next one comes later. */
static size_t js_room_before_gc(JSRuntime* rt) {
    size_t left = rt->malloc_state.malloc_size;
    return left + left / 8 < rt->malloc_gc_threshold ? left / 2 : left * 2;
}

static JSValue js_reaction(JSContext* ctx, JSValueConst handler) {
    return js_reaction_hook ? js_reaction_hook(ctx, handler) : js_dup(handler);
}

/* Goes on with an async function after its await. */
static JSValue js_go_on(JSContext* ctx, JSAsyncFunctionData* s, bool is_reject, JSValueConst arg) {
    s->func_state.throw_flag = is_reject;
    if (is_reject)
        JS_Throw(ctx, js_dup(arg));
    else
        s->func_state.frame.cur_sp[-1] = js_dup(arg);
    return js_async_function_resume(ctx, s) ? JS_UNDEFINED : JS_EXCEPTION;
}

static JSValue js_call_reaction(JSContext* ctx, JSValueConst handler, bool is_reject,
                                JSValueConst arg) {
    JSObject* p = JS_VALUE_GET_OBJ(handler);
    if (p->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE)
        return js_go_on(ctx, p->u.async_function_data, is_reject, arg);
    return JS_Call(ctx, handler, JS_UNDEFINED, 1, &arg);
}

/* The function that goes on after the await, and what the hook makes of it. */
static JSValue js_continuation(JSContext* ctx, JSAsyncFunctionData* s, bool is_reject) {
    JSValue shown, function = JS_NewObjectProtoClass(ctx, ctx->function_proto,
                                                     JS_CLASS_ASYNC_FUNCTION_RESOLVE + is_reject);
    if (JS_IsException(function))
        return function;
    JS_REF_COUNT(s)++;
    JS_VALUE_GET_OBJ(function)->u.async_function_data = s;
    shown = js_reaction(ctx, function);
    JS_FreeValue(ctx, function);
    return shown;
}

static JSValue js_await_job(JSContext* ctx, int argc, JSValueConst* argv) {
    bool is_reject = argc == 3;
    JSObject* p = JS_VALUE_GET_OBJ(argv[0]);
    JSValue result;
    if (p->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE + is_reject)
        return js_go_on(ctx, p->u.async_function_data, is_reject, argv[1]);
    result = JS_Call(ctx, argv[0], JS_UNDEFINED, 1, &argv[1]);
    if (JS_IsException(result) && !JS_IsUncatchableError(ctx->rt->current_exception)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        result = JS_UNDEFINED;
    }
    return result;
}

static int js_await_settled(JSContext* ctx, JSAsyncFunctionData* s, bool is_reject,
                            JSValueConst value) {
    int status;
    JSValueConst args[3] = {JS_UNDEFINED, value, JS_UNDEFINED};
    JSValue continuation = js_continuation(ctx, s, is_reject);
    if (JS_IsException(continuation))
        return -1;
    args[0] = continuation;
    status = JS_EnqueueJob(ctx, js_await_job, 2 + is_reject, args);
    JS_FreeValue(ctx, continuation);
    return status < 0 ? -1 : 1;
}

/* 0: a context is in the way. */
static int js_await_pending(JSContext* ctx, JSAsyncFunctionData* s, JSPromiseData* promise) {
    JSPromiseReactionData* reactions[2] = {NULL, NULL};
    int i, status = -1;
    JSValue continuation = js_continuation(ctx, s, false);
    if (JS_IsException(continuation))
        return -1;
    if (JS_VALUE_GET_OBJ(continuation)->class_id != JS_CLASS_ASYNC_FUNCTION_RESOLVE) {
        status = 0;
        goto done;
    }
    for (i = 0; i < 2; i++) {
        reactions[i] = js_malloc(ctx, sizeof(JSPromiseReactionData));
        if (!reactions[i]) {
            js_free(ctx, reactions[0]);
            goto done;
        }
    }
    for (i = 0; i < 2; i++) {
        reactions[i]->resolving_funcs[0] = reactions[i]->resolving_funcs[1] = JS_UNDEFINED;
        reactions[i]->handler = js_dup(continuation);
        list_add_tail(&reactions[i]->link, &promise->promise_reactions[i]);
    }
    promise->is_handled = true;
    status = 1;
done:
    JS_FreeValue(ctx, continuation);
    return status;
}

/* 1: the value no longer belongs to the caller and the await is under way; -1: an exception;
 * 0: the engine has to do it. */
static int js_await_value(JSContext* ctx, JSAsyncFunctionData* s, JSValue value) {
    int status;
    if (JS_IsObject(value))
        return 0;
    status = js_await_settled(ctx, s, false, value);
    JS_FreeValue(ctx, value);
    return status;
}

static int js_await_promise(JSContext* ctx, JSAsyncFunctionData* s, JSValue promise) {
    int status;
    JSPromiseData* data = JS_GetOpaque(promise, JS_CLASS_PROMISE);
    if (data->promise_state == JS_PROMISE_PENDING) {
        status = js_await_pending(ctx, s, data);
    } else {
        js_promise_set_handled(ctx, promise);
        status = js_await_settled(ctx, s, data->promise_state == JS_PROMISE_REJECTED,
                                  data->promise_result);
    }
    if (status != 0)
        JS_FreeValue(ctx, promise);
    return status;
}

/* A pending promise without functions that settle it; it stands in their places. */
static JSValue js_own_promise(JSContext* ctx, JSValue* resolving_funcs) {
    JSPromiseData* s;
    JSValue promise;
    if (ctx->rt->promise_hook)
        return JS_NewPromiseCapability(ctx, resolving_funcs);
    promise = js_create_from_ctor(ctx, JS_UNDEFINED, JS_CLASS_PROMISE);
    if (JS_IsException(promise))
        return promise;
    s = js_mallocz(ctx, sizeof(*s));
    if (!s) {
        JS_FreeValue(ctx, promise);
        return JS_EXCEPTION;
    }
    s->promise_state = JS_PROMISE_PENDING;
    init_list_head(&s->promise_reactions[0]);
    init_list_head(&s->promise_reactions[1]);
    s->promise_result = JS_UNDEFINED;
    JS_SetOpaqueInternal(promise, s);
    resolving_funcs[0] = js_dup(promise);
    resolving_funcs[1] = js_dup(promise);
    return promise;
}

static JSValue js_then_promise(JSContext* ctx, JSValue* resolving_funcs, JSValueConst ctor) {
    if (JS_IsUndefined(ctor) || js_same_value(ctx, ctor, ctx->promise_ctor))
        return js_own_promise(ctx, resolving_funcs);
    return js_new_promise_capability(ctx, resolving_funcs, ctor);
}

static void js_settle_own(JSContext* ctx, JSValueConst promise, bool is_reject,
                          JSValueConst value) {
    JSValueConst args[3] = {promise, value, JS_UNDEFINED};
    JSValue then;
    if (is_reject || !JS_IsObject(value)) {
        fulfill_or_reject_promise(ctx, promise, value, is_reject);
        return;
    }
    if (js_same_value(ctx, value, promise))
        then = JS_ThrowTypeError(ctx, "promise self resolution");
    else
        then = JS_GetProperty(ctx, value, JS_ATOM_then);
    if (JS_IsException(then)) {
        then = JS_GetException(ctx);
        fulfill_or_reject_promise(ctx, promise, then, true);
    } else if (JS_IsFunction(ctx, then)) {
        args[2] = then;
        JS_EnqueueJob(ctx, js_promise_resolve_thenable_job, 3, args);
    } else {
        fulfill_or_reject_promise(ctx, promise, value, false);
    }
    JS_FreeValue(ctx, then);
}

/* Calls a function that settles, or settles the promise that stands in its place. */
static JSValue js_settle(JSContext* ctx, JSValueConst func, bool is_reject, JSValue* value) {
    if (JS_VALUE_GET_OBJ(func)->class_id != JS_CLASS_PROMISE)
        return JS_Call(ctx, func, JS_UNDEFINED, 1, vc(value));
    js_settle_own(ctx, func, is_reject, *value);
    return JS_UNDEFINED;
}

/* Promise.resolve and Promise.reject. */
static JSValue js_promise_of(JSContext* ctx, bool is_reject, JSValueConst value) {
    JSValue funcs[2], argument = unsafe_unconst(value), result;
    JSValue promise = js_own_promise(ctx, funcs);
    if (JS_IsException(promise))
        return promise;
    result = js_settle(ctx, funcs[is_reject], is_reject, &argument);
    JS_FreeValue(ctx, funcs[0]);
    JS_FreeValue(ctx, funcs[1]);
    if (JS_IsException(result)) {
        JS_FreeValue(ctx, promise);
        return JS_EXCEPTION;
    }
    JS_FreeValue(ctx, result);
    return promise;
}

/* Whether the caller's is the only reference to the object and nobody has changed it. If so, the
 * object may go and another one like it may come later: no program can tell. */
bool js_is_forgotten(JSContext* ctx, JSValueConst object) {
    JSObject* p = JS_VALUE_GET_OBJ(object);
    return JS_REF_COUNT(p) == 1 && !p->first_weak_ref && p->extensible &&
           p->shape->prop_count == 0 &&
           p->shape->proto == JS_VALUE_GET_OBJ(ctx->class_proto[p->class_id]);
}

/* Fetches what freeing the block will need into the caches. */
void js_prefetch_block(const void* block) {
    const JSMallocBlockHeader* b = container_of(block, JSMallocBlockHeader, user_data);
    if (b->u.block_idx != JS_ARENA_FREE_NIL)
        __builtin_prefetch((const uint8_t*)b - sizeof(JSArena) -
                           (size_t)arena_block_sizes[b->block_size_idx] * b->u.block_idx);
}

/* The same for what a call of the function will need, and its end. */
void js_prefetch_function(const void* function) {
    const JSObject* p = function;
    js_prefetch_block(p);
    __builtin_prefetch(p->prop);
    if (p->class_id == JS_CLASS_BYTECODE_FUNCTION)
        __builtin_prefetch(p->u.func.var_refs);
}
