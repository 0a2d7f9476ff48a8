/*
 * Any bytes as a program, a module, JSON or a regular expression, in an engine of its own with
 * little memory, little stack and little time: errors are thrown, nothing breaks. What our changes
 * to the engine add is used where there is something to use it on. `make fuzz` runs it with
 * libFuzzer.
 */

#include "fuzz.h"

#include "engine/patched.h"

enum {
    MOST_MEMORY = 64 << 20,
    MOST_STACK = 512 << 10,
    MOST_PAUSES = 20, /* the engine asks whether to go on every 10,000 steps */
    MOST_JOBS = 200,
    MOST_STATEMENTS = 100,
    MOST_SOURCE = 1 << 14,
    KINDS = 6
};

static int is_enough(JSRuntime* rt, void* pauses) {
    (void)rt;
    return ++*(int*)pauses > MOST_PAUSES;
}

static JSModuleDef* no_module(JSContext* ctx, const char* name, void* data) {
    (void)data;
    JS_ThrowReferenceError(ctx, "no module %s", name);
    return NULL;
}

static void look_at_node(void* all, const void* address, int kind, const char* name, size_t size) {
    (void)kind;
    *(size_t*)all += (name != NULL ? strlen(name) : 0) + size + (address != NULL);
}

static void look_at_edge(void* all, int kind, const char* name, uint32_t index, const void* to) {
    (void)kind;
    *(size_t*)all += (name != NULL ? strlen(name) : 0) + index + (to != NULL);
}

static int statements_left;

/* As a debugger that stops at each statement. */
static int on_statement(JSContext* ctx) {
    JSValueConst function;
    JSAtom file;
    int line = 0, column = 0, kind = 0;
    if (statements_left == 0 || js_frame_top == NULL)
        return 0;
    statements_left--;
    for (void* frame = js_frame_top(ctx); frame != NULL; frame = js_frame_up(frame)) {
        if (js_frame_place(ctx, frame, &function, &file, &line, &column, &kind))
            JS_FreeValue(ctx, js_frame_variables(ctx, frame));
        js_frame_is_coroutine(frame);
    }
    return 0;
}

/* Its text, stack and own names, as whoever reports it would ask for them. */
static void look_at(JSContext* ctx, JSValueConst value) {
    const char* text = JS_ToCString(ctx, value);
    JS_FreeCString(ctx, text);
    if (JS_IsObject(value)) {
        JSValue stack = JS_GetPropertyStr(ctx, value, "stack");
        text = JS_ToCString(ctx, stack);
        JS_FreeCString(ctx, text);
        JS_FreeValue(ctx, stack);
        uint8_t* bytes;
        size_t length;
        if (js_bytes != NULL)
            js_bytes(value, &bytes, &length);
        if (js_names_beside_elements != NULL)
            JS_FreeValue(ctx, js_names_beside_elements(ctx, value));
    }
    JS_FreeValue(ctx, JS_GetException(ctx));
}

/* The first line is the pattern, the second is what it is tried on. */
static JSValue try_pattern(JSContext* ctx, const char* text, size_t length) {
    const char* line = memchr(text, '\n', length);
    size_t size = line != NULL ? (size_t)(line - text) : length;
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue maker = JS_GetPropertyStr(ctx, global, "RegExp");
    JSValue arguments[2] = {JS_NewStringLen(ctx, text, size),
                            JS_NewString(ctx, length % 2 ? "giu" : "sdv")};
    JSValue pattern = JS_CallConstructor(ctx, maker, 2, arguments);
    if (!JS_IsException(pattern)) {
        JSValue subject = JS_NewStringLen(ctx, text + size, length - size);
        JSValue test = JS_GetPropertyStr(ctx, pattern, "exec");
        JSValue result = JS_Call(ctx, test, pattern, 1, &subject);
        JS_FreeValue(ctx, pattern);
        JS_FreeValue(ctx, subject);
        JS_FreeValue(ctx, test);
        pattern = result;
    }
    for (int i = 0; i < 2; i++)
        JS_FreeValue(ctx, arguments[i]);
    JS_FreeValue(ctx, maker);
    JS_FreeValue(ctx, global);
    return pattern;
}

static JSValue try_as(JSContext* ctx, unsigned kind, const char* text, size_t length) {
    switch (kind) {
    case 0:
        return JS_Eval(ctx, text, length, "fuzz.js", JS_EVAL_TYPE_GLOBAL);
    case 1:
        return JS_Eval(ctx, text, length, "fuzz.mjs", JS_EVAL_TYPE_MODULE);
    case 2:
        return JS_ParseJSON(ctx, text, length, "fuzz.json");
    case 3:
        return try_pattern(ctx, text, length);
    case 4:
        return JS_Eval(ctx, text, length, "fuzz.js",
                       JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT | JS_EVAL_FLAG_ASYNC);
    default:
        return JS_Eval(ctx, text, length, "fuzz.mjs",
                       JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    }
}

static void run(JSRuntime* rt, JSContext* ctx, unsigned kind, const char* text, size_t length) {
    size_t names = 0;
    JSValue result = try_as(ctx, kind, text, length);
    look_at(ctx, result);
    JSContext* other;
    for (int i = 0; i < MOST_JOBS && JS_ExecutePendingJob(rt, &other) != 0; i++)
        look_at(ctx, JS_UNDEFINED);
    if (js_walk_heap != NULL)
        js_walk_heap(rt, &names, look_at_node, look_at_edge, look_at_node);
    JS_FreeValue(ctx, result);
    JS_RunGC(rt);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    int pauses = 0;
    if (size == 0 || size > MOST_SOURCE)
        return 0;
    /* The engine wants a zero after the source; exact, so that a read past it is seen. */
    char* text = malloc(size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    JSRuntime* rt = JS_NewRuntime();
    JS_SetMemoryLimit(rt, MOST_MEMORY);
    JS_SetMaxStackSize(rt, MOST_STACK);
    JS_SetInterruptHandler(rt, is_enough, &pauses);
    JS_SetModuleLoaderFunc(rt, NULL, no_module, NULL);
    statements_left = MOST_STATEMENTS;
    if (&js_marks_statements != NULL) {
        js_marks_statements = data[0] >= 128;
        js_statement_hook = on_statement;
    }
    JSContext* ctx = JS_NewContext(rt);
    run(rt, ctx, data[0] % KINDS, text, size - 1);
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    if (js_forget_marks != NULL)
        js_forget_marks();
    free(text);
    return 0;
}

#ifdef PLAIN_MAIN
/* Words of the language in any order. */
static size_t make_input(uint8_t* data, size_t room) {
    static const char words[] =
        "a b = ( ) { } [ ] ... => async await yield function* class extends super new import "
        "export "
        "default from 'x' `${ ` /a+/g 1 0n ; try catch finally throw for of let var return ?. #p "
        "static get label: break Iterator.zip( Array.fromAsync( Proxy( JSON.parse( with debugger";
    size_t size = 1;
    data[0] = (uint8_t)chance(256);
    for (unsigned left = chance(60); left > 0 && size + sizeof(words) < room; left--) {
        const char* word = words + chance(sizeof(words) - 1);
        while (word > words && word[-1] != ' ')
            word--;
        size_t length = strcspn(word, " ");
        memcpy(data + size, word, length);
        size += length;
        if (chance(3) > 0)
            data[size++] = " \n"[chance(2)];
    }
    return size;
}
#endif
