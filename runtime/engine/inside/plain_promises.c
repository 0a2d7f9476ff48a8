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
