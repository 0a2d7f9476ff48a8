/*
 * Who runs inside Python: a pending call, which the interpreter makes on its main thread before it
 * goes on, looks at the frames through the interface for C.
 */

#include <dlfcn.h>

#include "trace/sampler.h"

typedef void* object;

static struct {
    int (*is_initialized)(void);
    int (*add_pending_call)(int (*call)(void* data), void* data);
    object (*frame)(void);
    object (*back)(object frame);
    object (*code)(object frame);
    int (*line)(object frame);
    object (*attribute)(object from, const char* name);
    const char* (*text)(object string);
    long (*number)(object number);
    void (*release)(object one);
    void (*retain)(object one);
    void (*forget_error)(void);
    bool looked;
    bool complete;
} python;

static bool find(void* place, const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    *(void**)place = found;
    return found != NULL;
}

static bool find_all(void) {
    return find(&python.is_initialized, "Py_IsInitialized") &&
           find(&python.add_pending_call, "Py_AddPendingCall") &&
           find(&python.frame, "PyEval_GetFrame") && find(&python.back, "PyFrame_GetBack") &&
           find(&python.code, "PyFrame_GetCode") && find(&python.line, "PyFrame_GetLineNumber") &&
           find(&python.attribute, "PyObject_GetAttrString") &&
           find(&python.text, "PyUnicode_AsUTF8") && find(&python.number, "PyLong_AsLong") &&
           find(&python.release, "Py_DecRef") && find(&python.retain, "Py_IncRef") &&
           find(&python.forget_error, "PyErr_Clear");
}

/* co_qualname is there from 3.11 on. */
static object name_of(object code) {
    object name = python.attribute(code, "co_qualname");
    if (name == NULL)
        python.forget_error();
    return name != NULL ? name : python.attribute(code, "co_name");
}

static void tell_frame(struct ph_stack* stack, object frame) {
    object code = python.code(frame);
    object name = name_of(code);
    object file = python.attribute(code, "co_filename");
    object first = python.attribute(code, "co_firstlineno");
    const char* function = name != NULL ? python.text(name) : NULL;
    const char* path = file != NULL ? python.text(file) : NULL;
    long line = first != NULL ? python.number(first) : 0;
    int running = python.line(frame);
    ph_stack_frame(stack, function != NULL ? function : "", path != NULL ? path : "",
                   line > 0 ? (unsigned)line : 0, running > 0 ? (unsigned)running : 0);
    python.forget_error();
    if (name != NULL)
        python.release(name);
    if (file != NULL)
        python.release(file);
    if (first != NULL)
        python.release(first);
    python.release(code);
}

static int on_pending(void* data) {
    struct ph_stack stack;
    object frame = python.frame();
    (void)data;
    if (frame == NULL || !ph_stack_begin(&stack))
        return 0;
    python.retain(frame);
    for (int i = 0; frame != NULL; i++) {
        if (i < PH_STACK_FRAMES)
            tell_frame(&stack, frame);
        object outer = python.back(frame);
        python.release(frame);
        frame = outer;
    }
    ph_stack_end(&stack);
    return 0;
}

bool ph_python_ask(void) {
    if (!python.looked) {
        python.looked = true;
        python.complete = find_all();
    }
    return python.complete && python.is_initialized() &&
           python.add_pending_call(on_pending, NULL) == 0;
}
