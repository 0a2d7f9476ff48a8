#include "engine/modules.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gate.h"
#include "engine/interrupts.h"
#include "engine/patched.h"

static const char wrapper_head[] = "(function (exports, require, module, __filename, __dirname) { ";
static const char wrapper_tail[] = "\n})";

int ph_modules_first_line_column(const char* file, int column) {
    bool wrapped = file[0] == '/';
    int offset = (int)sizeof(wrapper_head) - 1;
    return wrapped && column > offset ? column - offset : column;
}

static char* normalize(JSContext* ctx, const char* base, const char* name, JSValueConst attributes,
                       void* opaque) {
    ph_env* env = opaque;
    JSValue specifier = JS_NewString(ctx, name);
    JSValue parent = JS_NewString(ctx, base);
    JSValueConst args[] = {specifier, parent, attributes};
    JSValue found = ph_hook_call(env, PH_HOOK_RESOLVE, 3, args);
    JS_FreeValue(ctx, specifier);
    JS_FreeValue(ctx, parent);
    if (JS_IsException(found))
        return NULL;
    const char* address = JS_ToCString(ctx, found);
    char* copy = address == NULL ? NULL : js_strdup(ctx, address);
    JS_FreeCString(ctx, address);
    JS_FreeValue(ctx, found);
    return copy;
}

/* Runs a module that is no ES module (CommonJS, JSON, built in) and publishes its exports. */
static int evaluate_foreign(JSContext* ctx, JSModuleDef* module) {
    ph_env* env = ph_env_of(ctx);
    JSAtom name = JS_GetModuleName(ctx, module);
    JSValue address = JS_AtomToString(ctx, name);
    JS_FreeAtom(ctx, name);
    JSValue self = js_vm_module == NULL ? JS_UNDEFINED : js_vm_module(ctx, module);
    JSValueConst args[] = {address, self};
    JSValue pair = ph_hook_call(env, PH_HOOK_EVALUATE, 2, args);
    JS_FreeValue(ctx, address);
    JS_FreeValue(ctx, self);
    if (JS_IsException(pair))
        return -1;
    /* [names, values] */
    JSValue names = JS_GetPropertyUint32(ctx, pair, 0);
    JSValue values = JS_GetPropertyUint32(ctx, pair, 1);
    int64_t count = 0;
    JS_GetLength(ctx, names, &count);
    for (int64_t i = 0; i < count; i++) {
        JSValue key = JS_GetPropertyInt64(ctx, names, i);
        const char* text = JS_ToCString(ctx, key);
        if (text != NULL)
            JS_SetModuleExport(ctx, module, text, JS_GetPropertyInt64(ctx, values, i));
        JS_FreeCString(ctx, text);
        JS_FreeValue(ctx, key);
    }
    JS_FreeValue(ctx, names);
    JS_FreeValue(ctx, values);
    JS_FreeValue(ctx, pair);
    return 0;
}

static JSModuleDef* new_foreign(JSContext* ctx, const char* address, JSValueConst names) {
    JSModuleDef* module = JS_NewCModule(ctx, address, evaluate_foreign);
    int64_t count = 0;
    JS_GetLength(ctx, names, &count);
    for (int64_t i = 0; i < count && module != NULL; i++) {
        JSValue key = JS_GetPropertyInt64(ctx, names, i);
        const char* text = JS_IsString(key) ? JS_ToCString(ctx, key) : NULL;
        JS_FreeValue(ctx, key);
        if (text == NULL) {
            JS_ThrowTypeError(ctx, "no name of an export");
            return NULL;
        }
        JS_AddModuleExport(ctx, module, text);
        JS_FreeCString(ctx, text);
    }
    return module;
}

static JSValue fill_meta(JSContext* ctx, JSModuleDef* module, JSValueConst meta) {
    JSAtom name = JS_GetModuleName(ctx, module);
    JSValue where = JS_AtomToString(ctx, name);
    JSValueConst args[] = {meta, where};
    JSValue done = ph_hook_call(ph_env_of(ctx), PH_HOOK_IMPORT_META, 2, args);
    JS_FreeAtom(ctx, name);
    JS_FreeValue(ctx, where);
    return done;
}

static JSModuleDef* compile_module(JSContext* ctx, const char* address, JSValueConst source) {
    size_t length;
    const char* text = JS_ToCStringLen(ctx, &length, source);
    if (text == NULL)
        return NULL;
    JSValue code =
        JS_Eval(ctx, text, length, address, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    JS_FreeCString(ctx, text);
    if (JS_IsException(code))
        return NULL;
    JSModuleDef* module = JS_VALUE_GET_PTR(code);
    JS_FreeValue(ctx, code);
    JSValue meta = JS_GetImportMeta(ctx, module);
    JSValue done = fill_meta(ctx, module, meta);
    JS_FreeValue(ctx, meta);
    if (JS_IsException(done))
        return NULL;
    JS_FreeValue(ctx, done);
    return module;
}

/* A source that does not compile: the load hook puts the error into its words. */
static void rethrow(ph_env* env, const char* address) {
    JSContext* ctx = env->ctx;
    JSValue error = JS_GetException(ctx);
    JSValue name = JS_NewString(ctx, address);
    JSValueConst args[] = {name, JS_UNDEFINED, error};
    JSValue told = ph_hook_call(env, PH_HOOK_LOAD, 3, args);
    if (!JS_IsException(told))
        JS_Throw(ctx, told);
    JS_FreeValue(ctx, name);
    JS_FreeValue(ctx, error);
}

static JSModuleDef* load(JSContext* ctx, const char* address, void* opaque,
                         JSValueConst attributes) {
    ph_env* env = opaque;
    JSValue name = JS_NewString(ctx, address);
    JSValueConst args[] = {name, attributes, JS_UNDEFINED};
    JSValue answer = ph_hook_call(env, PH_HOOK_LOAD, 3, args);
    JS_FreeValue(ctx, name);
    if (JS_IsException(answer))
        return NULL;
    /* A string is the source of an ES module, an array the export names of another kind. */
    bool is_source = JS_IsString(answer);
    JSModuleDef* module =
        is_source ? compile_module(ctx, address, answer) : new_foreign(ctx, address, answer);
    JS_FreeValue(ctx, answer);
    if (module == NULL && is_source)
        rethrow(env, address);
    return module;
}

static JSValue link_error(JSContext* ctx, int kind, JSAtom importer, JSAtom request, JSAtom name,
                          JSAtom found) {
    JSValue args[] = {JS_NewInt32(ctx, kind), JS_AtomToString(ctx, importer),
                      JS_AtomToString(ctx, request), JS_AtomToString(ctx, name),
                      JS_AtomToString(ctx, found)};
    JSValue error = ph_hook_call(ph_env_of(ctx), PH_HOOK_LINK_ERROR, PH_COUNT(args), args);
    for (size_t i = 0; i < PH_COUNT(args); i++)
        JS_FreeValue(ctx, args[i]);
    return error;
}

static void import_failed(JSContext* ctx, JSValueConst error) {
    ph_env* env = ph_env_of(ctx);
    if (env->stopping)
        return;
    JSValue done = ph_hook_call(env, PH_HOOK_IMPORT_FAILED, 1, &error);
    if (JS_IsException(done))
        JS_FreeValue(ctx, JS_GetException(ctx));
    else
        JS_FreeValue(ctx, done);
}

/* Scripts and modules of vm have names of their own, texts of eval() have none; whoever made them
 * says what they import. */
static JSValue import_of_vm(JSContext* ctx, JSValueConst base, JSValueConst specifier,
                            JSValueConst attributes) {
    const char* name = JS_ToCString(ctx, base);
    bool is_vm = name != NULL && (strchr(name, '\x01') != NULL || strcmp(name, "<input>") == 0);
    JS_FreeCString(ctx, name);
    if (!is_vm)
        return JS_UNDEFINED;
    ph_env* env = ph_env_of(ctx);
    JSValue global = ctx == env->ctx ? JS_UNDEFINED : JS_GetGlobalObject(ctx);
    JSValueConst args[] = {specifier, base, attributes, global};
    JSValue given = ph_hook_call(env, PH_HOOK_IMPORT_OF_VM, 4, args);
    JS_FreeValue(ctx, global);
    return given;
}

void ph_modules_init(ph_env* env) {
    JS_SetModuleLoaderFunc2(env->rt, NULL, load, NULL, env);
    JS_SetModuleNormalizeFunc2(env->rt, normalize);
    if (&js_link_hook != NULL) {
        js_link_hook = link_error;
        js_import_failed = import_failed;
        js_import_hook = import_of_vm;
        js_meta_hook = fill_meta;
    }
}

/* compileFunction(source, filename): a CommonJS module as a function of its five names. */
static JSValue compile_function(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t length;
    const char* source = JS_ToCStringLen(ctx, &length, argv[0]);
    const char* file = JS_ToCString(ctx, argv[1]);
    size_t head = sizeof(wrapper_head) - 1;
    size_t tail = sizeof(wrapper_tail) - 1;
    char* whole = source == NULL || file == NULL ? NULL : malloc(head + length + tail + 1);
    JSValue function = JS_EXCEPTION;
    if (whole != NULL) {
        memcpy(whole, wrapper_head, head);
        memcpy(whole + head, source, length);
        memcpy(whole + head + length, wrapper_tail, tail + 1);
        /* A first line that names an interpreter is a comment. */
        if (length > 1 && source[0] == '#' && source[1] == '!')
            whole[head] = whole[head + 1] = '/';
        function = JS_Eval(ctx, whole, head + length + tail, file, JS_EVAL_TYPE_GLOBAL);
        free(whole);
        /* The name is what stack traces call the outermost code of a file. */
        if (!JS_IsException(function))
            JS_DefinePropertyValueStr(ctx, function, "name",
                                      JS_NewString(ctx, "Object.<anonymous>"),
                                      JS_PROP_CONFIGURABLE);
    }
    JS_FreeCString(ctx, source);
    JS_FreeCString(ctx, file);
    return function;
}

/* runScript(source, filename, async, compileOnly, interruptible): global code; its completion
 * value. */
static JSValue run_script(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t length;
    const char* source = JS_ToCStringLen(ctx, &length, argv[0]);
    const char* file = JS_ToCString(ctx, argv[1]);
    int flags = JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_BACKTRACE_BARRIER;
    if (ph_flag(ctx, argv[2]))
        flags |= JS_EVAL_FLAG_ASYNC;
    if (ph_flag(ctx, argv[3]))
        flags |= JS_EVAL_FLAG_COMPILE_ONLY;
    JSValue result = JS_EXCEPTION;
    ph_limits limits = {.breaks_on_signal = ph_flag(ctx, argv[4])};
    JSEvalOptions options = {JS_EVAL_OPTIONS_VERSION, flags, file, 1};
    if (source != NULL && file != NULL)
        result = ph_eval_limited(ctx, source, length, &options, limits);
    JS_FreeCString(ctx, source);
    JS_FreeCString(ctx, file);
    if (!JS_IsException(result) && (flags & JS_EVAL_FLAG_COMPILE_ONLY)) {
        JS_FreeValue(ctx, result);
        return JS_TRUE;
    }
    return result;
}

/* looksLikeModule(source) */
static JSValue looks_like_module(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t length;
    const char* source = JS_ToCStringLen(ctx, &length, argv[0]);
    bool module = source != NULL && JS_DetectModule(source, length);
    JS_FreeCString(ctx, source);
    return JS_NewBool(ctx, module);
}

/* importModule(address, parent): a promise of the namespace. */
static JSValue import_module(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    const char* base = JS_ToCString(ctx, argv[1]);
    JSValue promise = JS_EXCEPTION;
    if (name != NULL && base != NULL)
        promise = JS_LoadModule(ctx, base, name);
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, base);
    return promise;
}

/* requireModule(address): the namespace, or a number that says why it can't be required. */
static JSValue require_module(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* address = JS_ToCString(ctx, argv[0]);
    JSValue result = JS_EXCEPTION;
    if (js_require_module == NULL)
        result = JS_NewInt32(ctx, 3);
    else if (address != NULL)
        result = js_require_module(ctx, address, address);
    JS_FreeCString(ctx, address);
    return result;
}

/* firstLineColumn(file, column): without the function that stands around a CommonJS file. */
static JSValue first_line_column(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* file = JS_ToCString(ctx, argv[0]);
    int column = ph_int(ctx, argv[1], 0);
    if (file != NULL)
        column = ph_modules_first_line_column(file, column);
    JS_FreeCString(ctx, file);
    return JS_NewInt32(ctx, column);
}

/* evalModule(source, address): runs source text that has no file. */
static JSValue eval_module(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* address = JS_ToCString(ctx, argv[1]);
    JSValue result = JS_EXCEPTION;
    JSModuleDef* module = address == NULL ? NULL : compile_module(ctx, address, argv[0]);
    if (module != NULL)
        result = JS_LoadModule(ctx, address, address);
    JS_FreeCString(ctx, address);
    return result;
}

/* (source or names of exports, name) */
JSValue ph_module_of_vm(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = js_vm_compile == NULL ? NULL : JS_ToCString(ctx, argv[1]);
    if (name == NULL)
        return js_vm_compile == NULL ? JS_UNDEFINED : JS_EXCEPTION;
    size_t length;
    JSModuleDef* module = NULL;
    const char* source = JS_IsArray(argv[0]) ? NULL : JS_ToCStringLen(ctx, &length, argv[0]);
    if (source != NULL)
        module = js_vm_compile(ctx, source, length, name);
    else if (JS_IsArray(argv[0]))
        module = new_foreign(ctx, name, argv[0]);
    JS_FreeCString(ctx, source);
    JS_FreeCString(ctx, name);
    return module == NULL ? JS_EXCEPTION : js_vm_module(ctx, module);
}

JSValue ph_modules_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("compileFunction", 2, compile_function),
        JS_CFUNC_DEF("runScript", 5, run_script),
        JS_CFUNC_DEF("looksLikeModule", 1, looks_like_module),
        JS_CFUNC_DEF("importModule", 2, import_module),
        JS_CFUNC_DEF("evalModule", 2, eval_module),
        JS_CFUNC_DEF("requireModule", 1, require_module),
        JS_CFUNC_DEF("firstLineColumn", 2, first_line_column),
    };
    return PH_EXPORT(ctx, functions);
}
