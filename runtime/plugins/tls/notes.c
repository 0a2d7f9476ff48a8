/* What happens inside OpenSSL is noted down, and told to the owner afterwards. */
#include <stdlib.h>
#include <string.h>

#include "engine/gate.h"
#include "plugins/tls/tls.h"

void tls_note_add(tls_engine* engine, const char* method, const void* bytes, size_t length,
                  const void* id, size_t id_length) {
    tls_note* note = malloc(sizeof(*note) + length + id_length);
    if (note == NULL)
        return;
    note->next = NULL;
    note->method = method;
    note->length = length;
    note->id_length = id_length;
    if (length > 0)
        memcpy(note->bytes, bytes, length);
    if (id_length > 0)
        memcpy(note->bytes + length, id, id_length);
    *engine->last_note = note;
    engine->last_note = &note->next;
}

void tls_notes_drop(tls_engine* engine) {
    while (engine->notes != NULL) {
        tls_note* next = engine->notes->next;
        free(engine->notes);
        engine->notes = next;
    }
    engine->last_note = &engine->notes;
}

void tls_emit(tls_engine* engine, const char* method, int argc, JSValue* argv_owned) {
    ph_env* env = engine->env;
    if (!env->stopping && !engine->closed) {
        JSValue function = JS_GetPropertyStr(env->ctx, engine->owner, method);
        if (!JS_IsFunction(env->ctx, function)) {
            JS_FreeValue(env->ctx, JS_GetException(env->ctx));
        } else if (engine->handle != NULL && env->gate.depth == 0) {
            ph_gate_call_in(env, engine->handle->context, function, engine->owner, argc,
                            argv_owned);
            argc = 0;
        } else {
            ph_gate_call(env, function, engine->owner, argc, argv_owned);
        }
        JS_FreeValue(env->ctx, function);
    }
    for (int i = 0; i < argc; i++)
        JS_FreeValue(env->ctx, argv_owned[i]);
}

JSValue tls_ask(tls_engine* engine, const char* method, int argc, JSValue* argv_owned) {
    ph_env* env = engine->env;
    JSContext* ctx = env->ctx;
    JSValue result = JS_UNDEFINED;
    if (!env->stopping && !engine->closed) {
        JSValue function = JS_GetPropertyStr(ctx, engine->owner, method);
        env->gate.depth++; /* ticks wait until OpenSSL has returned */
        if (JS_IsFunction(ctx, function))
            result = JS_Call(ctx, function, engine->owner, argc, argv_owned);
        env->gate.depth--;
        JS_FreeValue(ctx, function);
    }
    if (JS_IsException(result)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        result = JS_UNDEFINED;
    }
    for (int i = 0; i < argc; i++)
        JS_FreeValue(ctx, argv_owned[i]);
    return result;
}

void tls_tell_notes(tls_engine* engine) {
    ph_env* env = engine->env;
    while (engine->notes != NULL && !engine->closed) {
        tls_note* note = engine->notes;
        engine->notes = note->next;
        if (engine->notes == NULL)
            engine->last_note = &engine->notes;
        JSValue args[] = {ph_buffer_copy(env, note->bytes, note->length),
                          ph_buffer_copy(env, note->bytes + note->length, note->id_length)};
        tls_emit(engine, note->method, PH_COUNT(args), args);
        free(note);
    }
}
