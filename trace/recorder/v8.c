/*
 * Who runs inside V8. A program that has it exports its interface for C++, whose functions are
 * looked up by name; where one is missing, nothing is asked. The interrupt that is requested runs
 * on the isolate's own thread, at the next call or turn of a loop in JavaScript. So nothing is
 * compiled, logged or timed for it before.
 */

#include <stdint.h>
#include <stdio.h>

#include "recorder/find.h"
#include "recorder/sampler.h"

/* Handles are passed as the one word that they consist of. */
typedef void* handle;

enum { DETAILED = 0x7f, REPLACE_INVALID = 8 };

/* As v8::String::Utf8Value: the text and its length; NULL where there is none. */
struct utf8 {
    const char* text;
    size_t length;
    void* more[6];
};

static struct {
    void* (*current)(void);
    void (*request)(void* isolate, void (*call)(void* isolate, void* data), void* data);
    void (*open_scope)(void* scope, void* isolate);
    void (*close_scope)(void* scope);
    handle (*stack)(void* isolate, int limit, int options);
    int (*count)(handle stack);
    handle (*frame)(handle stack, void* isolate, uint32_t index);
    uint64_t (*location)(handle frame); /* two ints, the line first, from 0 */
    handle (*function)(handle frame);
    handle (*script)(handle frame);
    void (*open_text)(struct utf8* text, void* isolate, handle value, int options);
    void (*close_text)(struct utf8* text);
    const bool* is_set_up; /* NULL where `current` itself tells that no isolate can be there yet */
    bool complete;
} v8;

static const struct {
    void* place; /* of the pointer */
    const char* symbol;
    const char* name;
} wanted[] = {
    {&v8.current, "_ZN2v87Isolate13TryGetCurrentEv", "v8::Isolate::TryGetCurrent"},
    {&v8.request, "_ZN2v87Isolate16RequestInterruptEPFvPS0_PvES2_",
     "v8::Isolate::RequestInterrupt"},
    {&v8.stack, "_ZN2v810StackTrace17CurrentStackTraceEPNS_7IsolateEiNS0_17StackTraceOptionsE",
     "v8::StackTrace::CurrentStackTrace"},
    {&v8.count, "_ZNK2v810StackTrace13GetFrameCountEv", "v8::StackTrace::GetFrameCount"},
    {&v8.frame, "_ZNK2v810StackTrace8GetFrameEPNS_7IsolateEj", "v8::StackTrace::GetFrame"},
    {&v8.location, "_ZNK2v810StackFrame11GetLocationEv", "v8::StackFrame::GetLocation"},
    {&v8.function, "_ZNK2v810StackFrame15GetFunctionNameEv", "v8::StackFrame::GetFunctionName"},
    {&v8.script, "_ZNK2v810StackFrame13GetScriptNameEv", "v8::StackFrame::GetScriptName"},
    {&v8.open_text, "_ZN2v86String9Utf8ValueC1EPNS_7IsolateENS_5LocalINS_5ValueEEE",
     "v8::String::Utf8Value"},
    {&v8.close_text, "_ZN2v86String9Utf8ValueD1Ev", "v8::String::~Utf8Value"},
};

static bool find(void* place, const char* symbol) {
    void* found = ph_find_symbol(symbol);
    *(void**)place = found;
    return found != NULL;
}

/* The name of the first that is not there; NULL: they all are. */
static const char* find_all(void) {
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        if (!find(wanted[i].place, wanted[i].symbol) &&
            /* Node 24 has one with options. */
            (wanted[i].place != &v8.open_text ||
             !find(wanted[i].place, "_ZN2v86String9Utf8ValueC1EPNS_7IsolateENS_5LocalINS_5Value"
                                    "EEENS0_12WriteOptionsE")))
            return wanted[i].name;
    /* From Node 25 on these are compiled into their callers: the scope is then that of whoever has
     * called JavaScript, or V8's own around an interrupt. */
    if (!find(&v8.open_scope, "_ZN2v811HandleScopeC1EPNS_7IsolateE") ||
        !find(&v8.close_scope, "_ZN2v811HandleScopeD1Ev"))
        v8.open_scope = NULL;
    return NULL;
}

bool ph_v8_find(void) {
    if (!v8.complete) {
        v8.complete = find_all() == NULL;
        find(&v8.is_set_up, "_ZN2v88internal7Isolate20isolate_key_created_E");
    }
    return v8.complete;
}

bool ph_v8_is_node(void) {
    static int answer; /* + 1 */
    int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
    if (known == 0 && v8.complete) {
        known = 1 + (ph_find_symbol("node_module_register") != NULL);
        __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
    }
    return known == 2;
}

bool ph_v8_is_unknown(char* why, size_t size) {
    const char* (*version)(void);
    if (ph_v8_find() || !find(&version, "_ZN2v82V810GetVersionEv"))
        return false;
    snprintf(why, size, "V8 %s lacks %s", version(), find_all());
    return true;
}

/* V8 before 11, as in Node 18, keeps the isolate below a key of pthread: before it is set up that
 * key is 0, which is somebody else's. */
void* ph_v8_here(void) {
    if (!v8.complete || (v8.is_set_up != NULL && !__atomic_load_n(v8.is_set_up, __ATOMIC_ACQUIRE)))
        return NULL;
    return v8.current();
}

static void tell_frame(struct ph_stack* stack, void* isolate, handle frame) {
    struct utf8 function = {0}, script = {0};
    handle function_name = v8.function(frame), script_name = v8.script(frame);
    uint32_t line = (uint32_t)v8.location(frame) + 1;
    if (function_name != NULL)
        v8.open_text(&function, isolate, function_name, REPLACE_INVALID);
    if (script_name != NULL)
        v8.open_text(&script, isolate, script_name, REPLACE_INVALID);
    ph_stack_frame(stack, function.text != NULL ? function.text : "",
                   script.text != NULL ? script.text : "", 0, line);
    if (script_name != NULL)
        v8.close_text(&script);
    if (function_name != NULL)
        v8.close_text(&function);
}

static void on_interrupt(void* isolate, void* data) {
    _Alignas(16) char scope[128]; /* it has three words; room for versions to come */
    struct ph_stack stack;
    (void)data;
    if (!ph_stack_begin(&stack, PH_STACK_AFTER))
        return;
    if (v8.open_scope != NULL)
        v8.open_scope(scope, isolate);
    handle trace = v8.stack(isolate, PH_STACK_FRAMES, DETAILED);
    int count = trace != NULL ? v8.count(trace) : 0;
    for (int i = 0; i < count; i++)
        tell_frame(&stack, isolate, v8.frame(trace, isolate, (uint32_t)i));
    if (v8.open_scope != NULL)
        v8.close_scope(scope);
    if (count > 0)
        ph_stack_end(&stack);
}

void ph_v8_ask(void* isolate) {
    v8.request(isolate, on_interrupt, NULL);
}
