/* Stack traces in V8's form: "Name: message", then one "    at function (file:line:column)" a line.
 * The first line is written when the stack is first read (internal/globals), as V8 does; until then
 * a mark stands in its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/growing_text.h"
#include "engine/modules.h"
#include "engine/patched.h"

static JSValue invoke(JSContext* ctx, JSValueConst object, const char* method) {
    JSAtom atom = JS_NewAtom(ctx, method);
    JSValue result = JS_Invoke(ctx, object, atom, 0, NULL);
    JS_FreeAtom(ctx, atom);
    return result;
}

/* The method's answer, undefined if call sites have no such method. */
static JSValue ask(JSContext* ctx, JSValueConst site, const char* method) {
    JSValue function = JS_GetPropertyStr(ctx, site, method);
    JSValue answer =
        JS_IsFunction(ctx, function) ? JS_Call(ctx, function, site, 0, NULL) : JS_UNDEFINED;
    JS_FreeValue(ctx, function);
    return answer;
}

/* "name (", and whether there is one. Once a program has seen call sites, the outermost function of
 * a file has no name for them but a type (internal/errors/call_sites). */
static bool append_name(JSContext* ctx, ph_growing_text* out, JSValueConst site, const char* name) {
    JSValue constructs = ask(ctx, site, "isConstructor");
    JSValue type = name == NULL ? ask(ctx, site, "getTypeName") : JS_UNDEFINED;
    bool is_new = JS_IsBool(constructs) && JS_VALUE_GET_BOOL(constructs);
    bool is_outermost = JS_IsString(type);
    JS_FreeValue(ctx, constructs);
    JS_FreeValue(ctx, type);
    ph_text_add(out, is_new ? "\n    at new " : "\n    at ");
    if (name == NULL && !is_new && !is_outermost)
        return false;
    ph_text_add(out, name != NULL ? name : is_new ? "<anonymous>" : "Object.<anonymous>");
    ph_text_add(out, " (");
    return true;
}

static void append_frame(JSContext* ctx, ph_growing_text* out, JSValueConst site) {
    JSValue file = invoke(ctx, site, "getFileName");
    JSValue function = invoke(ctx, site, "getFunctionName");
    JSValue line = invoke(ctx, site, "getLineNumber");
    JSValue column = invoke(ctx, site, "getColumnNumber");
    size_t length = 0;
    /* An engine without our change "whole_names" has names of no length that do not end with a
     * zero. */
    const char* named_file = JS_IsString(file) ? JS_ToCStringLen(ctx, &length, file) : NULL;
    /* The number of a script of vm (internal/vm_imports) is no part of its name. */
    const char* number = length == 0 ? NULL : memchr(named_file, '\x01', length);
    size_t shown = number == NULL ? length : (size_t)(number - named_file);
    char* where = named_file == NULL ? NULL : strndup(named_file, shown);
    const char* what = JS_IsString(function) ? JS_ToCString(ctx, function) : NULL;
    /* Frames of C functions say nothing that a reader can use. */
    if (where != NULL && strcmp(where, "native") != 0) {
        int32_t row = ph_int(ctx, line, 0);
        int32_t at = ph_int(ctx, column, 0);
        char position[48];
        /* "<eval>" is the outermost code of a script or an ES module. */
        bool named = what != NULL && what[0] != '\0' && strcmp(what, "<anonymous>") != 0 &&
                     strcmp(what, "<eval>") != 0;
        if (row == 1 && number == NULL)
            at = ph_modules_first_line_column(where, at);
        snprintf(position, sizeof(position), ":%d:%d", (int)row, (int)at);
        bool has_name = append_name(ctx, out, site, named ? what : NULL);
        ph_text_add(out, where[0] == '\0' ? "<anonymous>" : where);
        if (row > 0)
            ph_text_add(out, position);
        if (has_name)
            ph_text_add(out, ")");
    }
    free(where);
    JS_FreeCString(ctx, named_file);
    JS_FreeCString(ctx, what);
    JS_FreeValue(ctx, file);
    JS_FreeValue(ctx, function);
    JS_FreeValue(ctx, line);
    JS_FreeValue(ctx, column);
}

static JSValue prepare(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_growing_text out = {NULL, 0, 0};
    ph_text_add(&out, "\x01");
    int64_t count = 0;
    JS_GetLength(ctx, argv[1], &count);
    for (int64_t i = 0; i < count; i++) {
        JSValue site = JS_GetPropertyInt64(ctx, argv[1], i);
        append_frame(ctx, &out, site);
        JS_FreeValue(ctx, site);
    }
    JSValue stack = JS_NewStringLen(ctx, out.bytes == NULL ? "" : out.bytes, out.length);
    free(out.bytes);
    return stack;
}

static void set_prepare(JSContext* ctx, JSValue function_owned) {
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue constructor = JS_GetPropertyStr(ctx, global, "Error");
    ph_set(ctx, constructor, "prepareStackTrace", function_owned);
    JS_FreeValue(ctx, constructor);
    JS_FreeValue(ctx, global);
}

void ph_stack_remove_positions(JSContext* ctx) {
    static const char* const names[] = {"fileName", "lineNumber", "columnNumber"};
    JSValue prototype = JS_GetFunctionProto(ctx);
    for (size_t i = 0; i < PH_COUNT(names); i++) {
        JSAtom name = JS_NewAtom(ctx, names[i]);
        JS_DeleteProperty(ctx, prototype, name, 0);
        JS_FreeAtom(ctx, name);
    }
    JS_FreeValue(ctx, prototype);
}

void ph_stack_init(ph_env* env) {
    JSContext* ctx = env->ctx;
    ph_stack_remove_positions(ctx);
    env->prepare_stack = JS_NewCFunction(ctx, prepare, "prepareStackTrace", 2);
    set_prepare(ctx, JS_DupValue(ctx, env->prepare_stack));
}
