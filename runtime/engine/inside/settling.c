/* The promises of async functions and of then have no functions that settle them: where the engine
 * keeps those, it keeps the promise itself. The order of jobs stays what it was. */

/* What a promise knows has its place behind the object, for as long as the object is there. */
static void js_promise_begin(JSObject* promise) {
    JSPromiseData* s = (JSPromiseData*)(promise + 1);
    s->promise_state = JS_PROMISE_PENDING;
    s->is_handled = false;
    init_list_head(&s->promise_reactions);
    s->promise_result = JS_UNDEFINED;
    promise->u.promise_data = s;
}

/* A pending promise without functions that settle it; it stands in their places. */
static JSValue js_own_promise(JSContext* ctx, JSValue* resolving_funcs) {
    JSObject* proto;
    JSShape* shape;
    JSValue promise;
    if (ctx->rt->promise_hook)
        return JS_NewPromiseCapability(ctx, resolving_funcs);
    proto = object_or_null(ctx->class_proto[JS_CLASS_PROMISE]);
    shape = find_hashed_shape_proto(ctx->rt, proto);
    shape = shape ? js_dup_shape(shape) : js_new_shape(ctx, proto);
    if (!shape)
        return JS_EXCEPTION;
    promise = JS_NewObjectFromShape(ctx, shape, JS_CLASS_PROMISE, NULL);
    if (JS_IsException(promise))
        return promise;
    js_promise_begin(JS_VALUE_GET_OBJ(promise));
    resolving_funcs[0] = js_dup(promise);
    resolving_funcs[1] = js_dup(promise);
    return promise;
}

/* Whether it is a promise whose constructor is Promise itself, as anybody would find it. */
static bool js_is_plain_promise(JSContext* ctx, JSValueConst promise) {
    JSObject *p, *proto = object_or_null(ctx->class_proto[JS_CLASS_PROMISE]);
    JSProperty* own;
    JSShapeProperty* shape;
    if (!JS_IsObject(promise))
        return false;
    p = JS_VALUE_GET_OBJ(promise);
    if (p->class_id != JS_CLASS_PROMISE || p->shape->proto != proto || !proto ||
        (p->shape->prop_count != 0 && find_own_property(&own, p, JS_ATOM_constructor)))
        return false;
    shape = find_own_property(&own, proto, JS_ATOM_constructor);
    return shape && (shape->flags & JS_PROP_TMASK) == JS_PROP_NORMAL && JS_IsObject(own->u.value) &&
           JS_VALUE_GET_PTR(own->u.value) == JS_VALUE_GET_PTR(ctx->promise_ctor);
}

/* Whether what then makes of it is plain, too: Promise[Symbol.species] is the engine's. */
static bool js_makes_plain_promises(JSContext* ctx, JSValueConst promise) {
    JSProperty* own;
    JSShapeProperty* shape;
    JSObject* getter;
    if (!js_is_plain_promise(ctx, promise))
        return false;
    shape = find_own_property(&own, JS_VALUE_GET_OBJ(ctx->promise_ctor), JS_ATOM_Symbol_species);
    if (!shape || (shape->flags & JS_PROP_TMASK) != JS_PROP_GETSET)
        return false;
    getter = own->u.getset.getter;
    return getter && getter->class_id == JS_CLASS_C_FUNCTION &&
           getter->u.cfunc.c_function.getter == js_get_this;
}

/* The reaction becomes a job, and is gone. */
static void js_queue_reaction(JSContext* ctx, JSPromiseReactionData* reaction, bool is_reject,
                              JSValueConst value) {
    JSJobEntry* job = js_malloc(ctx, sizeof(*job) + 5 * sizeof(JSValue));
    if (!job) {
        promise_reaction_data_free(ctx->rt, reaction);
        return;
    }
    job->ctx = ctx;
    job->job_func = promise_reaction_job;
    job->argc = 5;
    job->argv[0] = reaction->resolving_funcs[0];
    job->argv[1] = reaction->resolving_funcs[1];
    job->argv[2] = reaction->handlers[is_reject];
    job->argv[3] = js_bool(is_reject);
    job->argv[4] = js_dup(value);
    list_add_tail(&job->link, &ctx->rt->job_list);
    JS_FreeValue(ctx, reaction->handlers[!is_reject]);
    js_free(ctx, reaction);
    if (unlikely(js_job_hook != NULL))
        js_job_hook(ctx);
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
        JSValue reaction = js_reaction(ctx, then);
        args[2] = reaction;
        JS_EnqueueJob(ctx, js_promise_resolve_thenable_job, 3, args);
        JS_FreeValue(ctx, reaction);
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
