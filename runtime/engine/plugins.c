#include "engine/plugins.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef PHASOR_INSIDE
/* From the folder of the command, as it is built and installed. */
static const char* const places[] = {
#ifdef PHASOR_PLUGIN_PLACE
    PHASOR_PLUGIN_PLACE,
#endif
    "../" PHASOR_LIBDIR "/phasor", "../lib/phasor", "../lib64/phasor"};

static bool find_file(const char* name, char* path, size_t size) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    int folder = (int)(strrchr(self, '/') - self);
    for (size_t i = 0; i < PH_COUNT(places); i++) {
        snprintf(path, size, "%.*s/%s/%s.so", folder, self, places[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}
#endif

static JSValue refuse(JSContext* ctx, const char* name, const char* why) {
    JSValue error = JS_NewPlainError(ctx, "phasor can't load its part \"%s\": %s", name, why);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_DLOPEN_FAILED"));
    return JS_Throw(ctx, error);
}

typedef int (*plugin_entry)(JSContext* ctx, JSValueConst exports);

#ifdef PHASOR_INSIDE
#define INSIDE(name) int phasor_plugin_##name(JSContext* ctx, JSValueConst exports);
PHASOR_INSIDE
#undef INSIDE

static plugin_entry open_plugin(const char* name, const char** why) {
#define INSIDE(known)              \
    if (strcmp(name, #known) == 0) \
        return phasor_plugin_##known;
    PHASOR_INSIDE
    *why = "this phasor is one file, without what needs other libraries";
    return NULL;
}
#else
static plugin_entry open_plugin(const char* name, const char** why) {
    char path[PATH_MAX * 2];
    plugin_entry start = NULL;
    *why = "this phasor was built or installed without it";
    if (strchr(name, '/') != NULL || !find_file(name, path, sizeof(path)))
        return NULL;
    /* It is never closed: worlds come and go, its classes and callbacks stay. */
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        *(void**)&start = dlsym(library, "phasor_plugin");
    if (start == NULL)
        *why = dlerror();
    return start;
}
#endif

JSValue ph_plugin(JSContext* ctx, const char* name) {
    const char* why;
    plugin_entry start = open_plugin(name, &why);
    if (start == NULL)
        return refuse(ctx, name, why);
    JSValue exports = JS_NewObject(ctx);
    if (JS_IsException(exports) || start(ctx, exports) == 0)
        return exports;
    JS_FreeValue(ctx, exports);
    return JS_EXCEPTION;
}
