/* The bytes of values, and memory that stays while somebody beside the engine uses it.
 *
 * An ArrayBuffer's memory is released and moved by its realloc function alone. The first pin puts
 * one of ours in its place, for good: memory that is in use is then left to its users, and the
 * ArrayBuffer that grows or shrinks gets other memory with the same bytes. */

typedef struct js_pin {
    int users;
    bool owned; /* an ArrayBuffer has the memory, too */
    bool shared;
    uint8_t* data;
    size_t size;
    JSReallocArrayBufferDataFunc* realloc_func;
    void* opaque;
} js_pin;

/* What an ArrayBuffer has as its opaque value once it has been pinned. */
typedef struct {
    js_pin* pin;
} js_pinned;

static JSArrayBuffer* js_bytes_of(JSValueConst value, uint8_t** data, size_t* length) {
    static uint8_t nothing[1];
    JSObject* p;
    JSArrayBuffer* abuf;
    *data = nothing;
    *length = 0;
    if (JS_VALUE_GET_TAG(value) != JS_TAG_OBJECT)
        return NULL;
    p = JS_VALUE_GET_OBJ(value);
    if (p->class_id == JS_CLASS_ARRAY_BUFFER || p->class_id == JS_CLASS_SHARED_ARRAY_BUFFER) {
        abuf = p->u.array_buffer;
        if (abuf != NULL && abuf->data != NULL && abuf->byte_length > 0) {
            *data = abuf->data;
            *length = abuf->byte_length;
        }
        return abuf;
    }
    if (p->class_id != JS_CLASS_DATAVIEW && !is_typed_array(p->class_id))
        return NULL;
    JSTypedArray* ta = p->u.typed_array;
    if (ta == NULL || ta->buffer == NULL)
        return NULL;
    abuf = ta->buffer->u.array_buffer;
    bool gone = p->class_id == JS_CLASS_DATAVIEW ? dataview_is_oob(p) : typed_array_is_oob(p);
    if (gone || abuf->data == NULL)
        return abuf;
    size_t left = (size_t)abuf->byte_length - ta->offset;
    size_t size = ta->track_rab ? left : ta->length;
    if (ta->track_rab && p->class_id != JS_CLASS_DATAVIEW)
        size &= ~(((size_t)1 << typed_array_size_log2(p->class_id)) - 1);
    if (size > 0) {
        *data = abuf->data + ta->offset;
        *length = size;
    }
    return abuf;
}

/* True if the value has bytes; none if it is detached or out of bounds. Never NULL. */
bool js_bytes(JSValueConst value, uint8_t** data, size_t* length) {
    return js_bytes_of(value, data, length) != NULL;
}

bool js_byte_count(JSValueConst value, size_t* length) {
    uint8_t* data;
    JSObject* p;
    JSTypedArray* ta;
    const JSArrayBuffer* abuf;
    if (JS_VALUE_GET_TAG(value) != JS_TAG_OBJECT ||
        JS_VALUE_GET_OBJ(value)->class_id != JS_CLASS_UINT8_ARRAY)
        return false;
    p = JS_VALUE_GET_OBJ(value);
    ta = p->u.typed_array;
    abuf = ta && ta->buffer ? ta->buffer->u.array_buffer : NULL;
    if (abuf && !ta->track_rab && !abuf->detached && abuf->byte_length >= 0 &&
        (uint64_t)ta->offset + ta->length <= (uint64_t)abuf->byte_length) {
        *length = ta->length;
        return true;
    }
    js_bytes_of(value, &data, length);
    return true;
}

static void* js_pinned_realloc(JSRuntime* rt, void* opaque, void* data, size_t size) {
    js_pinned* pinned = opaque;
    js_pin* pin = pinned->pin;
    if (size > 0 && pin->users == 0) {
        void* moved = pin->realloc_func(rt, pin->opaque, data, size);
        if (moved != NULL) {
            pin->data = moved;
            pin->size = size;
        }
        return moved;
    }
    if (size > 0) {
        js_pin* other = js_malloc_rt(rt, sizeof(*other));
        void* copy = other == NULL ? NULL : pin->realloc_func(rt, pin->opaque, NULL, size);
        if (copy == NULL) {
            js_free_rt(rt, other);
            return NULL;
        }
        memcpy(copy, data, size < pin->size ? size : pin->size);
        *other = *pin;
        other->users = 0;
        other->data = copy;
        other->size = size;
        pin->owned = false;
        pinned->pin = other;
        return copy;
    }
    pin->owned = false;
    js_free_rt(rt, pinned);
    if (pin->users == 0) {
        pin->realloc_func(rt, pin->opaque, data, 0);
        js_free_rt(rt, pin);
    }
    return NULL;
}

static js_pin* js_new_pin(JSContext* ctx, JSArrayBuffer* abuf) {
    js_pin* pin = js_mallocz(ctx, sizeof(*pin));
    if (pin == NULL)
        return NULL;
    pin->data = abuf->data;
    pin->size = array_buffer_is_resizable(abuf) ? abuf->max_byte_length : abuf->byte_length;
    pin->shared = abuf->shared;
    pin->realloc_func = abuf->realloc_func;
    pin->opaque = abuf->opaque;
    if (pin->shared || abuf->realloc_func == NULL)
        return pin;
    js_pinned* pinned = js_malloc(ctx, sizeof(*pinned));
    if (pinned == NULL) {
        js_free(ctx, pin);
        return NULL;
    }
    pinned->pin = pin;
    pin->owned = true;
    abuf->realloc_func = js_pinned_realloc;
    abuf->opaque = pinned;
    return pin;
}

/* The same as js_bytes, and the memory stays where it is until js_unpin of what is given. NULL:
 * there are no bytes to keep. -1 and an exception without memory. */
int js_pin_bytes(JSContext* ctx, JSValueConst value, uint8_t** data, size_t* length, void** out) {
    JSArrayBuffer* abuf = js_bytes_of(value, data, length);
    *out = NULL;
    if (abuf == NULL || *length == 0)
        return 0;
    js_pin* pin = abuf->realloc_func == js_pinned_realloc ? ((js_pinned*)abuf->opaque)->pin
                                                          : js_new_pin(ctx, abuf);
    if (pin == NULL)
        return -1;
    if (pin->shared && ctx->rt->sab_funcs.sab_dup != NULL)
        ctx->rt->sab_funcs.sab_dup(ctx->rt->sab_funcs.sab_opaque, pin->data);
    pin->users++;
    *out = pin;
    return 0;
}

void js_unpin(JSRuntime* rt, void* opaque) {
    js_pin* pin = opaque;
    if (pin == NULL || --pin->users > 0 || pin->owned)
        return;
    if (pin->shared && rt->sab_funcs.sab_free != NULL)
        rt->sab_funcs.sab_free(rt->sab_funcs.sab_opaque, pin->data);
    else if (!pin->shared && pin->realloc_func != NULL)
        pin->realloc_func(rt, pin->opaque, pin->data, 0);
    js_free_rt(rt, pin);
}

/* Moves the memory of one ArrayBuffer, with its pins, to another of the same size, and detaches the
 * first. False if they are no such pair. */
bool js_move_bytes(JSContext* ctx, JSValueConst from, JSValueConst to) {
    JSArrayBuffer* a = JS_GetOpaque(from, JS_CLASS_ARRAY_BUFFER);
    JSArrayBuffer* b = JS_GetOpaque(to, JS_CLASS_ARRAY_BUFFER);
    if (a == NULL || b == NULL || a == b || a->detached || b->detached || a->immutable ||
        a->byte_length != b->byte_length || a->max_byte_length != b->max_byte_length)
        return false;
    JSArrayBuffer empty = *b;
    b->data = a->data;
    b->realloc_func = a->realloc_func;
    b->opaque = a->opaque;
    a->data = empty.data;
    a->realloc_func = empty.realloc_func;
    a->opaque = empty.opaque;
    js_array_buffer_update_typed_arrays(b);
    JS_DetachArrayBuffer(ctx, from);
    return true;
}

/* Is the value a view without a length of its own, on a buffer that can be resized? */
bool js_tracks_length(JSValueConst value) {
    if (JS_VALUE_GET_TAG(value) != JS_TAG_OBJECT)
        return false;
    JSObject* p = JS_VALUE_GET_OBJ(value);
    if (p->class_id != JS_CLASS_DATAVIEW && !is_typed_array(p->class_id))
        return false;
    return p->u.typed_array != NULL && p->u.typed_array->track_rab;
}

/* Memory of ArrayBuffers on its way to another thread is a block that free() frees, as the engine
 * has it for what is large: whoever gets it has it as if its own runtime had made it. */
static JSMallocBlockHeader* js_block_of(const JSArrayBuffer* abuf) {
    JSMallocBlockHeader* block;
    JSReallocArrayBufferDataFunc* owner = abuf->realloc_func;
    if (abuf->detached || abuf->shared || abuf->immutable || abuf->data == NULL ||
        abuf->byte_length == 0 || array_buffer_is_resizable(abuf))
        return NULL;
    if (owner == js_pinned_realloc) {
        js_pin* pin = ((js_pinned*)abuf->opaque)->pin;
        owner = pin->users > 0 ? NULL : pin->realloc_func;
    }
    if (owner != js_array_buffer_realloc)
        return NULL;
    block = container_of(abuf->data, JSMallocBlockHeader, user_data);
    return block->u.block_idx == JS_ARENA_FREE_NIL ? block : NULL;
}

/* Takes the memory out of an ArrayBuffer, which is detached. NULL: it has to be copied. */
void* js_take_block(JSContext* ctx, JSValueConst buffer, size_t* length) {
    JSArrayBuffer* abuf = JS_GetOpaque(buffer, JS_CLASS_ARRAY_BUFFER);
    JSMallocBlockHeader* block = abuf == NULL ? NULL : js_block_of(abuf);
    if (block == NULL)
        return NULL;
    *length = abuf->byte_length;
    if (abuf->realloc_func == js_pinned_realloc) {
        js_free(ctx, ((js_pinned*)abuf->opaque)->pin);
        js_free(ctx, abuf->opaque);
    }
    ctx->rt->malloc_state.malloc_count--;
    ctx->rt->malloc_state.malloc_size -=
        js_arena_usable_size(ctx->rt, abuf->data) + MALLOC_OVERHEAD;
    abuf->realloc_func = NULL;
    abuf->opaque = NULL;
    JS_DetachArrayBuffer(ctx, buffer);
    return block;
}

/* The same with a copy, and the ArrayBuffer stays as it is; NULL without memory. */
void* js_copy_block(JSContext* ctx, JSValueConst buffer, size_t* length) {
    uint8_t* data;
    JSMallocBlockHeader* block;
    js_bytes(buffer, &data, length);
    block = ctx->rt->mf.js_malloc(ctx->rt->malloc_state.opaque,
                                  sizeof(*block) + (*length > 0 ? *length : 1));
    if (block == NULL)
        return NULL;
    block->u.block_idx = JS_ARENA_FREE_NIL;
    block->block_size_idx = 0xff;
    memcpy(block->user_data, data, *length);
    return block;
}

/* Whether js_take_block would take it. */
bool js_has_block(JSValueConst buffer) {
    const JSArrayBuffer* abuf = JS_GetOpaque(buffer, JS_CLASS_ARRAY_BUFFER);
    return abuf != NULL && js_block_of(abuf) != NULL;
}

/* An ArrayBuffer with this memory; after an exception it is still the caller's. */
JSValue js_give_block(JSContext* ctx, void* given, size_t length) {
    JSMallocBlockHeader* block = given;
    JSMallocState* state = &ctx->rt->malloc_state;
    JSValue buffer =
        JS_NewArrayBuffer(ctx, block->user_data, length, 0, js_array_buffer_realloc, NULL, false);
    if (JS_IsException(buffer))
        return buffer;
    state->malloc_count++;
    state->malloc_size += js_arena_usable_size(ctx->rt, block->user_data) + MALLOC_OVERHEAD;
    return buffer;
}
