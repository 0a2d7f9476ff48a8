/* process.dlopen: loads addons and starts them. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/plugins.h"
#include "plugins/napi/elf.h"
#include "plugins/napi/napi.h"

/* Addons that registered themselves while they were loaded: loading them again does not run their
 * constructors again. */
typedef struct registered registered;
struct registered {
    registered* next;
    void* library;
    const napi_module* module;
};

static registered* all_registered;
static uv_mutex_t registry_lock;
static uv_once_t registry_once = UV_ONCE_INIT;
static _Thread_local const napi_module* registering;

__attribute__((visibility("default"))) void napi_module_register(napi_module* module) {
    registering = module;
}

static void init_registry(void) {
    uv_mutex_init(&registry_lock);
}

/* The module that a library registered, now or when it was first loaded. */
static const napi_module* registered_by(void* library, const napi_module* now) {
    uv_mutex_lock(&registry_lock);
    registered* next = all_registered;
    while (next != NULL && next->library != library)
        next = next->next;
    if (next == NULL && now != NULL && (next = calloc(1, sizeof(*next))) != NULL) {
        *next = (registered){.next = all_registered, .library = library, .module = now};
        all_registered = next;
    }
    const napi_module* found = next == NULL ? NULL : next->module;
    uv_mutex_unlock(&registry_lock);
    return found;
}

static JSValue refuse(JSContext* ctx, const char* message) {
    JSValue text = JS_NewString(ctx, message);
    JSValue error = JS_NewPlainError(ctx, "%s", "");
    JS_DefinePropertyValueStr(ctx, error, "message", text, JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_DLOPEN_FAILED"));
    return JS_Throw(ctx, error);
}

static JSValue refuse_v8(JSContext* ctx, const char* path, const char* symbol) {
    static const char* const words =
        "%s was built for V8's own C++ interface (it needs %s), which this runtime does not have. "
        "Addons that use Node-API alone can be loaded.";
    size_t size = strlen(words) + strlen(path) + strlen(symbol);
    char* text = malloc(size);
    if (text == NULL)
        return JS_ThrowOutOfMemory(ctx);
    snprintf(text, size, words, path, symbol);
    JSValue thrown = refuse(ctx, text);
    free(text);
    return thrown;
}

static JSValue refuse_stranger(JSContext* ctx, const char* path) {
    size_t size = strlen(path) + 64;
    char* text = malloc(size);
    if (text == NULL)
        return JS_ThrowOutOfMemory(ctx);
    snprintf(text, size, "Module did not self-register: '%s'.", path);
    JSValue thrown = refuse(ctx, text);
    free(text);
    return thrown;
}

typedef struct {
    napi_addon_register_func start;
    int32_t version;
    bool is_registered;
} addon;

static addon look_up(void* library, const napi_module* module) {
    addon found = {.version = NAPI_DEFAULT_VERSION};
    int32_t (*version)(void) = NULL;
    *(void**)&version = dlsym(library, "node_api_module_get_api_version_v1");
    if (version != NULL)
        found.version = version();
    found.is_registered = module != NULL;
    if (module != NULL)
        found.start = module->nm_register_func;
    else
        *(void**)&found.start = dlsym(library, "napi_register_module_v1");
    return found;
}

static JSValue check_version(JSContext* ctx, const char* path, int32_t version) {
    if (version <= NAPI_LATEST_VERSION || version == NAPI_EXPERIMENTAL_VERSION)
        return JS_UNDEFINED;
    const char* name = strrchr(path, '/');
    JSValue error = JS_NewPlainError(
        ctx,
        "%.100s requires Node-API version %d, but this version of Node.js only supports version %d "
        "add-ons.",
        name == NULL ? path : name + 1, version, NAPI_LATEST_VERSION);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_NAPI_VERSION"));
    return JS_Throw(ctx, error);
}

/* What the addon has made of its exports, or has thrown. */
static JSValue start_addon(napi_env env, JSValueConst module, const addon* found) {
    JSContext* ctx = env->ctx;
    napi_world* world = env->world;
    size_t mark = world->used;
    world->open_scopes++;
    napi_value exports = napi_handle(world, JS_GetPropertyStr(ctx, module, "exports"));
    napi_value given = exports == NULL ? NULL : found->start(env, exports);
    JSValue result = JS_UNDEFINED;
    if (napi_has_pending(env)) {
        result = JS_Throw(ctx, env->pending);
        env->pending = JS_UNINITIALIZED;
    } else if (given != NULL && given != exports &&
               !JS_IsStrictEqual(ctx, napi_js(given), napi_js(exports))) {
        ph_set(ctx, module, "exports", JS_DupValue(ctx, napi_js(given)));
    }
    world->open_scopes--;
    napi_release_handles(world, mark);
    return result;
}

static JSValue load(napi_world* world, JSValueConst module, const char* path, const char* address,
                    int flags) {
    JSContext* ctx = world->ctx;
    char* symbol = napi_needs_v8(path);
    if (symbol != NULL) {
        JSValue thrown = refuse_v8(ctx, path, symbol);
        free(symbol);
        return thrown;
    }
    registering = NULL;
    void* library = dlopen(path, flags);
    if (library == NULL)
        return refuse(ctx, dlerror());
    addon found = look_up(library, registered_by(library, registering));
    registering = NULL;
    /* A library that is closed may not come back: its threads and its exit handlers stay. */
    if (found.start == NULL)
        return found.is_registered ? JS_ThrowPlainError(ctx, "Module has no declared entry point.")
                                   : refuse_stranger(ctx, path);
    JSValue fits = check_version(ctx, path, found.version);
    if (JS_IsException(fits))
        return fits;
    napi_env env = napi_env_new(world, address, found.version);
    return env == NULL ? JS_ThrowOutOfMemory(ctx) : start_addon(env, module, &found);
}

/* load(module, path, address, flags) */
static JSValue load_addon(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    napi_world* world = napi_world_of(ph_env_of(ctx));
    const char* path = JS_ToCString(ctx, argv[1]);
    const char* address = path == NULL ? NULL : JS_ToCString(ctx, argv[2]);
    JSValue result = address == NULL
                         ? JS_EXCEPTION
                         : load(world, argv[0], path, address, ph_int(ctx, argv[3], RTLD_LAZY));
    JS_FreeCString(ctx, path);
    JS_FreeCString(ctx, address);
    return result;
}

/* address(external): where its data is, as text; undefined if the value is no external. */
static JSValue address_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    napi_world* world = napi_world_of(ph_env_of(ctx));
    if (!napi_is_external(world, argv[0]))
        return JS_UNDEFINED;
    char text[32];
    snprintf(text, sizeof(text), "%llx",
             (unsigned long long)(uintptr_t)napi_external_data(world, argv[0]));
    return JS_NewString(ctx, text);
}

/* setup(keepHere, isStrict) */
static JSValue setup(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    napi_world* world = napi_world_of(ph_env_of(ctx));
    JS_FreeValue(ctx, world->keep_here);
    world->keep_here = JS_DupValue(ctx, argv[0]);
    world->is_strict = ph_flag(ctx, argv[1]);
    return JS_UNDEFINED;
}

/* The names of Node-API become visible to libraries that are loaded later. */
static void show_names(void) {
    Dl_info info;
    if (dladdr((void*)(uintptr_t)napi_module_register, &info) != 0)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("load", 4, load_addon),
        JS_CFUNC_DEF("address", 1, address_of),
        JS_CFUNC_DEF("setup", 2, setup),
    };
    uv_once(&registry_once, init_registry);
    show_names();
    if (!napi_world_start(ph_env_of(ctx)))
        return -1;
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    return 0;
}
