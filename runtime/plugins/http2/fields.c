/* Header fields: from JavaScript to nghttp2, and back. */
#include <stdlib.h>
#include <string.h>

#include "http/text.h"
#include "plugins/http2/http2.h"

/* Text as Latin-1, from malloc. NULL and an exception if it has other characters. */
static char* latin1(JSContext* ctx, JSValueConst value, size_t* length) {
    size_t size;
    const char* text = ph_text(ctx, value, &size);
    if (text == NULL)
        return NULL;
    char* copy = malloc(size + 1);
    size_t used = 0;
    for (size_t i = 0; copy != NULL && i < size; i++) {
        uint8_t c = (uint8_t)text[i];
        /* Of characters beyond Latin-1 the low byte is taken, as Node does. */
        bool many = c >= 0x80;
        while (many && i + 1 < size && ((uint8_t)text[i + 1] & 0xc0) == 0x80)
            c = (uint8_t)(c << 6 | ((uint8_t)text[++i] & 0x3f));
        copy[used++] = (char)c;
    }
    JS_FreeCString(ctx, text);
    if (copy == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    copy[used] = '\0';
    *length = used;
    return copy;
}

void h2_fields_free(h2_fields* fields) {
    for (size_t i = 0; fields->texts != NULL && i < fields->count * 2; i++)
        free(fields->texts[i]);
    free(fields->texts);
    free(fields->list);
}

static bool read_one(JSContext* ctx, JSValueConst list, h2_fields* fields, size_t index) {
    nghttp2_nv* nv = &fields->list[index];
    for (unsigned part = 0; part < 2; part++) {
        JSValue value = JS_GetPropertyInt64(ctx, list, (int64_t)(index * 3 + part));
        size_t length = 0;
        char* text = JS_IsException(value) ? NULL : latin1(ctx, value, &length);
        JS_FreeValue(ctx, value);
        if (text == NULL)
            return false;
        fields->texts[index * 2 + part] = text;
        if (part == 0) {
            nv->name = (uint8_t*)text;
            nv->namelen = length;
        } else {
            nv->value = (uint8_t*)text;
            nv->valuelen = length;
        }
    }
    JSValue flag = JS_GetPropertyInt64(ctx, list, (int64_t)(index * 3 + 2));
    nv->flags = NGHTTP2_NV_FLAG_NONE;
    if (!JS_IsException(flag) && ph_flag(ctx, flag))
        nv->flags = NGHTTP2_NV_FLAG_NO_INDEX;
    JS_FreeValue(ctx, flag);
    return !JS_HasException(ctx);
}

bool h2_fields_read(JSContext* ctx, JSValueConst list, h2_fields* fields) {
    enum { MOST = 1 << 16 };
    int64_t length = 0;
    memset(fields, 0, sizeof(*fields));
    if (!JS_IsObject(list) || JS_GetLength(ctx, list, &length) != 0) {
        if (!JS_HasException(ctx))
            JS_ThrowTypeError(ctx, "not a list");
        return false;
    }
    if (length < 0 || length > MOST) {
        JS_ThrowRangeError(ctx, "too many fields");
        return false;
    }
    size_t count = (size_t)length / 3;
    fields->list = calloc(count + 1, sizeof(*fields->list));
    fields->texts = calloc(count * 2 + 1, sizeof(*fields->texts));
    if (fields->list == NULL || fields->texts == NULL) {
        h2_fields_free(fields);
        memset(fields, 0, sizeof(*fields));
        JS_ThrowOutOfMemory(ctx);
        return false;
    }
    fields->count = count;
    for (size_t i = 0; i < count; i++)
        if (!read_one(ctx, list, fields, i)) {
            h2_fields_free(fields);
            memset(fields, 0, sizeof(*fields));
            return false;
        }
    return true;
}

bool h2_next_field(const h2_session* h2, h2_field* field) {
    if (field->at >= h2->head_length)
        return false;
    const char* at = h2->head + field->at;
    uint32_t sizes[2];
    memcpy(sizes, at, sizeof(sizes));
    field->never = at[sizeof(sizes)] != 0;
    field->name = at + sizeof(sizes) + 1;
    field->name_length = sizes[0];
    field->value = field->name + sizes[0];
    field->value_length = sizes[1];
    field->at += sizeof(sizes) + 1 + sizes[0] + sizes[1];
    return true;
}

JSValue h2_head_list(const h2_session* h2) {
    JSContext* ctx = h2->env->ctx;
    JSValue list = JS_NewArray(ctx);
    uint32_t index = 0;
    h2_field field = {.at = 0};
    while (h2_next_field(h2, &field)) {
        JSAtom atom = JS_NewAtomLen(ctx, field.name, field.name_length);
        JS_SetPropertyUint32(ctx, list, index++, JS_AtomToString(ctx, atom));
        JS_FreeAtom(ctx, atom);
        JS_SetPropertyUint32(ctx, list, index++,
                             ph_http_text(ctx, field.value, field.value_length));
        JS_SetPropertyUint32(ctx, list, index++, JS_NewBool(ctx, field.never));
    }
    return list;
}
