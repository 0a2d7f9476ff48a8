/* A profile of where a program spends its time: the stack is looked at now and then while scripts
 * run, and when the loop begins and ends to wait. */
#include <stdlib.h>
#include <string.h>

#include "inspector.h"

enum { ROOT, PROGRAM, IDLE, FIRST_OWN, MOST_FRAMES = 128, MOST_SAMPLES = 4 << 20 };

typedef struct {
    int parent, first_child, sibling;
    int hits;
    JSAtom file;
    int line, column;
    JSValue name;
} node;

typedef struct ph_profile {
    ph_inspector* in;
    uint64_t interval; /* ns */
    uint64_t began, last;
    node* nodes;
    int count, room;
    int32_t* samples; /* pairs: node, microseconds since the one before */
    int sample_count, sample_room;
    uv_prepare_t* before;
    uv_check_t* after;
} ph_profile;

typedef struct {
    JSValueConst function;
    JSAtom file;
    int line, column;
} place;

typedef struct {
    place frames[MOST_FRAMES];
    int count;
} stack;

static int add_node(ph_profile* profile, int parent, const place* where, JSValue name_owned) {
    if (profile->count == profile->room) {
        int room = profile->room == 0 ? 64 : 2 * profile->room;
        node* moved = realloc(profile->nodes, (size_t)room * sizeof(*moved));
        if (moved == NULL) {
            JS_FreeValue(profile->in->env->ctx, name_owned);
            return parent;
        }
        profile->nodes = moved;
        profile->room = room;
    }
    int made = profile->count++;
    node* one = &profile->nodes[made];
    *one = (node){parent, -1, -1, 0, JS_ATOM_NULL, 0, 0, name_owned};
    if (where != NULL) {
        one->file = JS_DupAtom(profile->in->env->ctx, where->file);
        one->line = where->line;
        one->column = where->column;
    }
    if (made != ROOT) {
        one->sibling = profile->nodes[parent].first_child;
        profile->nodes[parent].first_child = made;
    }
    return made;
}

static int find_child(ph_profile* profile, int parent, const place* where) {
    JSContext* ctx = profile->in->env->ctx;
    for (int i = profile->nodes[parent].first_child; i != -1; i = profile->nodes[i].sibling) {
        node* one = &profile->nodes[i];
        if (one->file == where->file && one->line == where->line && one->column == where->column)
            return i;
    }
    JSPropertyDescriptor found = {.value = JS_UNDEFINED};
    JSAtom key = JS_NewAtom(ctx, "name");
    JSValue name = JS_UNDEFINED;
    if (JS_GetOwnProperty(ctx, &found, where->function, key) > 0) {
        if (JS_IsString(found.value))
            name = JS_DupValue(ctx, found.value);
        JS_FreeValue(ctx, found.value);
        JS_FreeValue(ctx, found.getter);
        JS_FreeValue(ctx, found.setter);
    }
    JS_FreeAtom(ctx, key);
    return add_node(profile, parent, where, name);
}

static void add_sample(ph_profile* profile, int which, uint64_t now) {
    if (profile->sample_count == profile->sample_room) {
        int room = profile->sample_room == 0 ? 4096 : 2 * profile->sample_room;
        int32_t* moved = room > MOST_SAMPLES
                             ? NULL
                             : realloc(profile->samples, (size_t)room * 2 * sizeof(*moved));
        if (moved == NULL)
            return;
        profile->samples = moved;
        profile->sample_room = room;
    }
    int32_t* one = &profile->samples[2 * (size_t)profile->sample_count++];
    one[0] = which;
    one[1] = (int32_t)((now - profile->last) / 1000);
    profile->last = now;
    profile->nodes[which].hits++;
}

static void add_frame(void* data, JSContext* ctx, JSValueConst function, bool is_whole_text,
                      JSAtom file, int line, int column, int running) {
    (void)ctx, (void)is_whole_text, (void)running;
    stack* all = data;
    if (file != JS_ATOM_NULL && all->count < MOST_FRAMES)
        all->frames[all->count++] = (place){function, file, line, column};
}

static void look(ph_inspector* in, uint64_t now) {
    ph_profile* profile = in->profile;
    if (&js_each_frame == NULL)
        return;
    stack all = {.count = 0};
    js_each_frame(in->env->ctx, add_frame, &all);
    int at = ROOT;
    for (int i = all.count; i-- > 0;)
        at = find_child(profile, at, &all.frames[i]);
    add_sample(profile, at == ROOT ? PROGRAM : at, now);
}

void ph_profile_look(ph_inspector* in) {
    uint64_t now = uv_hrtime();
    if (now - in->profile->last >= in->profile->interval)
        look(in, now);
}

static void before_waiting(uv_prepare_t* handle) {
    ph_env* env = handle->loop->data;
    if (ph_inspector_in(env) != NULL && ph_inspector_in(env)->profile != NULL)
        add_sample(ph_inspector_in(env)->profile, IDLE, uv_hrtime());
}

static void after_waiting(uv_check_t* handle) {
    ph_env* env = handle->loop->data;
    if (ph_inspector_in(env) != NULL && ph_inspector_in(env)->profile != NULL)
        add_sample(ph_inspector_in(env)->profile, PROGRAM, uv_hrtime());
}

static void on_closed(uv_handle_t* handle) {
    free(handle);
}

static void watch_loop(ph_profile* profile) {
    uv_loop_t* loop = profile->in->env->loop;
    profile->before = calloc(1, sizeof(*profile->before));
    profile->after = calloc(1, sizeof(*profile->after));
    if (profile->before == NULL || profile->after == NULL)
        return;
    uv_prepare_init(loop, profile->before);
    uv_check_init(loop, profile->after);
    uv_prepare_start(profile->before, before_waiting);
    uv_check_start(profile->after, after_waiting);
    uv_unref((uv_handle_t*)profile->before);
    uv_unref((uv_handle_t*)profile->after);
}

void ph_profile_free(ph_inspector* in) {
    ph_profile* profile = in->profile;
    if (profile == NULL)
        return;
    in->profile = NULL;
    if (profile->before != NULL && profile->after != NULL) {
        uv_close((uv_handle_t*)profile->before, on_closed);
        uv_close((uv_handle_t*)profile->after, on_closed);
    }
    for (int i = 0; i < profile->count; i++) {
        JS_FreeAtom(in->env->ctx, profile->nodes[i].file);
        JS_FreeValue(in->env->ctx, profile->nodes[i].name);
    }
    free(profile->nodes);
    free(profile->samples);
    free(profile);
}

/* startProfile(microseconds between two looks) */
static JSValue start(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    if (in->profile != NULL)
        return JS_UNDEFINED;
    ph_profile* profile = calloc(1, sizeof(*profile));
    if (profile == NULL)
        return JS_ThrowOutOfMemory(ctx);
    double interval = ph_number(ctx, argv[0], 1000);
    profile->in = in;
    profile->interval = (uint64_t)(interval >= 1 && interval < 1e9 ? interval : 1000) * 1000;
    profile->began = profile->last = uv_hrtime();
    static const char* const names[] = {"(root)", "(program)", "(idle)"};
    for (int i = 0; i < FIRST_OWN; i++)
        add_node(profile, ROOT, NULL, JS_NewString(ctx, names[i]));
    if (profile->count < FIRST_OWN) {
        in->profile = profile;
        ph_profile_free(in);
        return JS_ThrowOutOfMemory(ctx);
    }
    watch_loop(profile);
    in->profile = profile;
    look(in, profile->began);
    return JS_UNDEFINED;
}

/* stopProfile(): [nodes as [parent, hits, name, file, line, column], samples as pairs, began,
 * ended]; undefined if there is none */
static JSValue stop(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc, (void)argv;
    ph_inspector* in = ph_inspector_of(ctx);
    ph_profile* profile = in->profile;
    if (profile == NULL)
        return JS_UNDEFINED;
    uint64_t now = uv_hrtime();
    look(in, now);
    JSValue nodes = JS_NewArray(ctx);
    for (int i = 0; i < profile->count; i++) {
        node* one = &profile->nodes[i];
        JSValue row[] = {JS_NewInt32(ctx, i == ROOT ? -1 : one->parent),
                         JS_NewInt32(ctx, one->hits),
                         JS_DupValue(ctx, one->name),
                         one->file == JS_ATOM_NULL ? JS_UNDEFINED : JS_AtomToString(ctx, one->file),
                         JS_NewInt32(ctx, one->line),
                         JS_NewInt32(ctx, one->column)};
        JS_SetPropertyUint32(ctx, nodes, (uint32_t)i, JS_NewArrayFrom(ctx, PH_COUNT(row), row));
    }
    JSValue samples =
        JS_NewArrayBufferCopy(ctx, (uint8_t*)profile->samples,
                              (size_t)profile->sample_count * 2 * sizeof(*profile->samples));
    uint64_t began_us = profile->began / 1000, now_us = now / 1000;
    JSValue all[] = {nodes, samples, JS_NewFloat64(ctx, (double)began_us),
                     JS_NewFloat64(ctx, (double)now_us)};
    ph_profile_free(in);
    return JS_NewArrayFrom(ctx, PH_COUNT(all), all);
}

void ph_profile_export(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("startProfile", 1, start),
        JS_CFUNC_DEF("stopProfile", 0, stop),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
