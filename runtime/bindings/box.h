/* A piece of C that JavaScript holds and can't look into. */
#ifndef PH_RUNTIME_BOX_H
#define PH_RUNTIME_BOX_H

#include "engine/engine.h"

typedef struct {
    const char* name;
    void (*release)(void* content);
} ph_box_kind;

void ph_box_class_init(ph_env* env);
/* The content passes to the box, even on failure. */
JSValue ph_box(JSContext* ctx, const ph_box_kind* kind, void* content_owned);
/* NULL and an exception if the value is no such box. */
void* ph_box_content(JSContext* ctx, JSValueConst value, const ph_box_kind* kind);

#endif
