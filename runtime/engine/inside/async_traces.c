/* Who waits for the job that runs: async functions, async generators and Promise.all, one after
 * the other, as long as each is the only one that waits for its promise. */

/* Of a function that settles a promise, or of the promise that stands in its place (settling.c). */
static JSObject* js_promise_behind(JSObject* settles) {
    if (settles == NULL || settles->class_id == JS_CLASS_PROMISE)
        return settles;
    if (settles->class_id == JS_CLASS_PROMISE_RESOLVE_FUNCTION ||
        settles->class_id == JS_CLASS_PROMISE_REJECT_FUNCTION) {
        JSPromiseFunctionData* data = settles->u.promise_function_data;
        return data ? object_or_null(data->promise) : NULL;
    }
    return NULL;
}

static JSCFunctionDataRecord* js_data_of(JSObject* p) {
    return p && p->class_id == JS_CLASS_C_FUNCTION_DATA ? p->u.c_function_data_record : NULL;
}

/* A handler as the engine made it, without the context that it runs in (js_reaction_hook). */
static JSObject* js_bare_handler(JSObject* handler) {
    JSCFunctionDataRecord* record = js_data_of(handler);
    if (record && js_reaction_runs && record->func == js_reaction_runs)
        return object_or_null(record->data[0]);
    return handler;
}

static JSObject* js_first_request(JSAsyncGeneratorData* s) {
    JSAsyncGeneratorRequest* request;
    if (list_empty(&s->queue))
        return NULL;
    request = list_entry(s->queue.next, JSAsyncGeneratorRequest, link);
    return object_or_null(request->promise);
}

/* A stopped function that goes on after an await. */
static void js_trace_add_waiting(JSContext* ctx, js_trace* trace, JSAsyncFunctionState* state) {
    js_trace_entry* entry = js_trace_add(ctx, trace);
    if (!entry)
        return;
    entry->function = js_dup(state->frame.cur_func);
    entry->receiver = js_dup(state->this_val);
    entry->kind = JS_TRACE_AWAIT;
    entry->at = js_place_in_code(&state->frame);
}

/* Adds the one that a handler goes on with, if it is stopped, and gives the promise that it
 * settles in turn. */
static JSObject* js_trace_handler(JSContext* ctx, js_trace* trace, JSObject* handler,
                                  JSObject* settles, bool is_stopped) {
    JSCFunctionDataRecord* record = js_data_of(handler);
    if (handler && (handler->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE ||
                    handler->class_id == JS_CLASS_ASYNC_FUNCTION_REJECT)) {
        JSAsyncFunctionData* s = handler->u.async_function_data;
        if (!s || !s->is_active)
            return NULL;
        if (is_stopped)
            js_trace_add_waiting(ctx, trace, &s->func_state);
        return js_promise_behind(object_or_null(s->resolving_funcs[0]));
    }
    if (record && record->func == js_async_generator_resolve_function) {
        JSObject* generator = object_or_null(record->data[0]);
        JSAsyncGeneratorData* s = generator->u.async_generator_data;
        if (!s || s->state == JS_ASYNC_GENERATOR_STATE_COMPLETED)
            return NULL;
        if (is_stopped && s->state == JS_ASYNC_GENERATOR_STATE_EXECUTING)
            js_trace_add_waiting(ctx, trace, &s->func_state);
        return js_first_request(s);
    }
    if (record && record->func == js_promise_all_resolve_element) {
        js_trace_entry* entry = is_stopped ? js_trace_add(ctx, trace) : NULL;
        int type = record->magic & 3;
        if (entry) {
            entry->kind = type == PROMISE_MAGIC_any          ? JS_TRACE_ANY
                          : type == PROMISE_MAGIC_allSettled ? JS_TRACE_ALL_SETTLED
                                                             : JS_TRACE_ALL;
            entry->at = JS_VALUE_GET_TAG(record->data[1]) == JS_TAG_INT
                            ? JS_VALUE_GET_INT(record->data[1])
                            : 0;
        }
        return js_promise_behind(object_or_null(record->data[3]));
    }
    if (handler && handler->class_id == JS_CLASS_PROMISE_RESOLVE_FUNCTION)
        return js_promise_behind(handler);
    return js_promise_behind(settles);
}

/* Promise.any waits for what fails. */
static JSObject* js_handler_of(JSPromiseReactionData* reaction) {
    JSCFunctionDataRecord* record = js_data_of(object_or_null(reaction->handlers[1]));
    bool is_any = record && record->func == js_promise_all_resolve_element &&
                  (record->magic & 3) == PROMISE_MAGIC_any;
    return js_bare_handler(object_or_null(reaction->handlers[is_any]));
}

/* Who goes on with the job that runs, which is what runs now, and the promise that is settled
 * behind it; NULL: nobody can wait for the job. */
static JSObject* js_promise_of_job(JSContext* ctx, js_trace* trace, JSJobEntry* job) {
    JSObject* handler = NULL;
    if (job->job_func == js_generator_job)
        return js_first_request(JS_VALUE_GET_OBJ(job->argv[0])->u.async_generator_data);
    if (job->job_func == js_await_job)
        handler = object_or_null(job->argv[0]);
    else if (job->job_func == promise_reaction_job)
        handler = object_or_null(job->argv[2]);
    else
        return NULL;
    return js_trace_handler(ctx, trace, js_bare_handler(handler),
                            job->job_func == js_await_job ? NULL : object_or_null(job->argv[0]),
                            false);
}

/* Promises that wait for each other in a circle end at the limit. */
static void js_trace_chain(JSContext* ctx, js_trace* trace, JSObject* promise) {
    for (int i = 0; promise && trace->count < trace->limit && i < JS_CHAIN_LIMIT; i++) {
        JSPromiseData* data = promise->u.promise_data;
        JSPromiseReactionData* reaction;
        if (!data || data->promise_state != JS_PROMISE_PENDING ||
            list_empty(&data->promise_reactions) ||
            data->promise_reactions.next->next != &data->promise_reactions)
            return;
        reaction = list_entry(data->promise_reactions.next, JSPromiseReactionData, link);
        promise = js_trace_handler(ctx, trace, js_handler_of(reaction),
                                   object_or_null(reaction->resolving_funcs[0]), true);
    }
}

static void js_trace_waiting(JSContext* ctx, js_trace* trace) {
    JSJobEntry* job = ctx->rt->running_job;
    if (job)
        js_trace_chain(ctx, trace, js_promise_of_job(ctx, trace, job));
}
