/* Plain values as bytes in V8's format, version 15. Nothing of the program runs on the way, so that
 * whatever is unusual (a getter, a proxy, an object of the runtime, an array with holes) can leave
 * the whole to JavaScript, which begins anew. Functions give false for that. */
#include "engine/message.h"

enum { JS_MESSAGE_DEPTH = 200, JS_MESSAGE_SLOTS = 32 };

typedef struct {
    JSObject* object;
    uint32_t id;
} js_message_slot;

typedef struct {
    JSContext* ctx;
    ph_message* to;
    JSObject* plain;        /* Object.prototype */
    js_message_slot* slots; /* `own` at first */
    uint32_t mask, count;
    js_message_slot own[JS_MESSAGE_SLOTS];
} js_message_writer;

static bool js_message_put(js_message_writer* w, JSValueConst value, int depth);

static bool js_message_grow(JSRuntime* rt, ph_message* to, size_t more) {
    size_t room = to->room * 2 + more;
    uint8_t* bytes = room > INT32_MAX ? NULL : js_malloc_rt(rt, room);
    if (!bytes)
        return false;
    memcpy(bytes, to->bytes, to->length);
    if (to->bytes != to->own)
        js_free_rt(rt, to->bytes);
    to->bytes = bytes;
    to->room = room;
    return true;
}

static inline bool js_message_room(js_message_writer* w, size_t more) {
    return likely(w->to->room - w->to->length >= more) || js_message_grow(w->ctx->rt, w->to, more);
}

static inline bool js_message_byte(js_message_writer* w, uint8_t byte) {
    if (!js_message_room(w, 1))
        return false;
    w->to->bytes[w->to->length++] = byte;
    return true;
}

/* A tag and a number in groups of 7 bits. */
static bool js_message_tagged(js_message_writer* w, uint8_t tag, uint32_t number) {
    uint8_t* at;
    if (!js_message_room(w, 6))
        return false;
    at = w->to->bytes + w->to->length;
    *at++ = tag;
    for (; number >= 128; number >>= 7)
        *at++ = number | 128;
    *at++ = number;
    w->to->length = at - w->to->bytes;
    return true;
}

static bool js_message_number(js_message_writer* w, uint32_t number) {
    for (; number >= 128; number >>= 7)
        if (!js_message_byte(w, number | 128))
            return false;
    return js_message_byte(w, number);
}

static bool js_message_raw(js_message_writer* w, const void* bytes, size_t length) {
    if (!js_message_room(w, length))
        return false;
    memcpy(w->to->bytes + w->to->length, bytes, length);
    w->to->length += length;
    return true;
}

static bool js_message_double(js_message_writer* w, uint8_t tag, double number) {
    return js_message_byte(w, tag) && js_message_raw(w, &number, sizeof(number));
}

static bool js_message_int(js_message_writer* w, int32_t number) {
    return js_message_tagged(w, 'I', ((uint32_t)number << 1) ^ (uint32_t)(number >> 31));
}

static bool js_is_small(double number) {
    return number >= INT32_MIN && number <= INT32_MAX && number == (int32_t)number &&
           (number != 0 || !signbit(number));
}

static bool js_message_float(js_message_writer* w, double number) {
    return js_is_small(number) ? js_message_int(w, (int32_t)number)
                               : js_message_double(w, 'N', number);
}

/* A wide string stands at an even place, unless its letters are small. */
static bool js_message_wide(js_message_writer* w, JSString* string) {
    const uint16_t* from = str16(string);
    uint32_t length = string->len, size = length * 2, digits = 1;
    uint16_t all = 0;
    for (uint32_t i = 0; i < length; i++)
        all |= from[i];
    if (all < 256) {
        if (!js_message_tagged(w, '"', length) || !js_message_room(w, length))
            return false;
        for (uint32_t i = 0; i < length; i++)
            w->to->bytes[w->to->length++] = from[i];
        return true;
    }
    for (uint32_t rest = size; rest >= 128; rest >>= 7)
        digits++;
    if ((w->to->length + 1 + digits) % 2 == 1 && !js_message_byte(w, 0))
        return false;
    return js_message_tagged(w, 'c', size) && js_message_raw(w, from, size);
}

static bool js_message_string(js_message_writer* w, JSString* string) {
    if (unlikely(string->is_wide_char))
        return js_message_wide(w, string);
    return js_message_tagged(w, '"', string->len) && js_message_raw(w, str8(string), string->len);
}

static bool js_message_string_value(js_message_writer* w, JSValue string_owned) {
    bool done;
    if (JS_IsException(string_owned)) {
        JS_FreeValue(w->ctx, JS_GetException(w->ctx));
        return false;
    }
    done = JS_VALUE_GET_TAG(string_owned) == JS_TAG_STRING &&
           js_message_string(w, JS_VALUE_GET_STRING(string_owned));
    JS_FreeValue(w->ctx, string_owned);
    return done;
}

/* Sign and size, then the bytes from the lowest; those that do not fit 64 bits are left. */
static bool js_message_bigint(js_message_writer* w, JSValueConst value, uint8_t tag) {
    int64_t number;
    uint64_t size;
    if (JS_VALUE_GET_TAG(value) != JS_TAG_SHORT_BIG_INT)
        return false;
    number = JS_VALUE_GET_SHORT_BIG_INT(value);
    if (number == 0)
        return js_message_tagged(w, tag, 0);
    size = number < 0 ? -(uint64_t)number : (uint64_t)number;
    return js_message_tagged(w, tag, 16 + (number < 0)) && js_message_raw(w, &size, sizeof(size));
}

static js_message_slot* js_message_slot_of(js_message_writer* w, JSObject* object) {
    uint32_t at = (uint32_t)(((uintptr_t)object >> 4) * 0x9e3779b1u) >> 8;
    while (w->slots[at & w->mask].object && w->slots[at & w->mask].object != object)
        at++;
    return &w->slots[at & w->mask];
}

static bool js_message_more_slots(js_message_writer* w) {
    js_message_slot* before = w->slots;
    uint32_t size = w->mask + 1;
    js_message_slot* slots = js_calloc_rt(w->ctx->rt, (size_t)size * 4, sizeof(*slots));
    if (!slots)
        return false;
    w->slots = slots;
    w->mask = size * 4 - 1;
    for (uint32_t i = 0; i < size; i++)
        if (before[i].object)
            *js_message_slot_of(w, before[i].object) = before[i];
    if (before != w->own)
        js_free_rt(w->ctx->rt, before);
    return true;
}

/* Objects are known by the number of their turn. 1: it was known and is written; 0: it is new; -1:
 * no memory. */
static int js_message_known(js_message_writer* w, JSObject* object) {
    js_message_slot* slot = js_message_slot_of(w, object);
    if (slot->object)
        return js_message_tagged(w, '^', slot->id) ? 1 : -1;
    slot->object = object;
    slot->id = w->count++;
    return w->count * 2 <= w->mask || js_message_more_slots(w) ? 0 : -1;
}

static bool js_message_key(js_message_writer* w, JSAtom atom) {
    uint32_t index;
    if (__JS_AtomIsTaggedInt(atom))
        return js_message_int(w, __JS_AtomToUInt32(atom));
    if (JS_AtomIsArrayIndex(w->ctx, &index, atom))
        return js_message_float(w, index);
    return js_message_string(w, w->ctx->rt->atom_array[atom]);
}

/* Symbols that the engine knows from its beginning are none of the runtime's. */
static bool js_is_marked(JSRuntime* rt, JSShapeProperty* property) {
    return !__JS_AtomIsTaggedInt(property->atom) && property->atom >= JS_ATOM_END &&
           rt->atom_array[property->atom]->atom_type != JS_ATOM_TYPE_STRING;
}

/* Whether the object is nothing but its properties: neither it nor its prototypes have symbols or
 * private names, by which the runtime knows what travels in another way. */
static bool js_message_is_plain(js_message_writer* w, JSObject* p) {
    JSObject* proto = p->shape->proto;
    for (int i = 0; proto && proto != w->plain; i++, proto = proto->shape->proto) {
        JSShapeProperty* property = get_shape_prop(proto->shape);
        if (i > 20 || proto->is_exotic || proto->class_id == JS_CLASS_PROXY)
            return false;
        for (int k = 0; k < proto->shape->prop_count; k++, property++)
            if (property->atom != JS_ATOM_NULL && js_is_marked(w->ctx->rt, property))
                return false;
    }
    return !p->is_exotic && p != JS_VALUE_GET_OBJ(w->ctx->global_obj);
}

/* Properties whose names are indices come first and in their order. */
static bool js_message_sorted(js_message_writer* w, JSObject* p, uint32_t* count, int depth) {
    JSPropertyEnum* names;
    uint32_t length, i;
    if (JS_GetOwnPropertyNames(w->ctx, &names, &length, JS_MKPTR(JS_TAG_OBJECT, p),
                               JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) < 0) {
        JS_FreeValue(w->ctx, JS_GetException(w->ctx));
        return false;
    }
    for (i = 0; i < length; i++) {
        JSProperty* value;
        JSShapeProperty* property = find_own_property(&value, p, names[i].atom);
        if (!property || (property->flags & JS_PROP_TMASK) != JS_PROP_NORMAL ||
            !js_message_key(w, names[i].atom) || !js_message_put(w, value->u.value, depth))
            break;
    }
    JS_FreePropertyEnum(w->ctx, names, length);
    *count = length;
    return i == length;
}

/* What the properties after the first ones are: 0 plain, 1 with indices among their names, -1
 * something else. */
static int js_message_look(js_message_writer* w, JSObject* p, int first) {
    JSRuntime* rt = w->ctx->rt;
    JSShapeProperty* property = get_shape_prop(p->shape) + first;
    int found = 0;
    for (int i = first; i < p->shape->prop_count; i++, property++) {
        JSAtomStruct* name;
        if (property->atom == JS_ATOM_NULL)
            continue;
        if ((property->flags & (JS_PROP_TMASK | JS_PROP_ENUMERABLE)) != JS_PROP_ENUMERABLE &&
            (property->flags & JS_PROP_ENUMERABLE))
            return -1;
        if (__JS_AtomIsTaggedInt(property->atom)) {
            found = 1;
            continue;
        }
        if (js_is_marked(rt, property))
            return -1;
        name = rt->atom_array[property->atom];
        if (name->len > 0 && is_digit(string_get(name, 0)))
            found = 1;
    }
    return found;
}

static bool js_message_properties(js_message_writer* w, JSObject* p, int first, uint32_t* count,
                                  int depth) {
    JSRuntime* rt = w->ctx->rt;
    JSShapeProperty* property = get_shape_prop(p->shape) + first;
    int look = js_message_look(w, p, first);
    *count = 0;
    if (look != 0)
        return look > 0 && first == 0 && js_message_sorted(w, p, count, depth);
    for (int i = first; i < p->shape->prop_count; i++, property++) {
        if (property->atom == JS_ATOM_NULL || !(property->flags & JS_PROP_ENUMERABLE) ||
            rt->atom_array[property->atom]->atom_type != JS_ATOM_TYPE_STRING)
            continue;
        if (!js_message_string(w, rt->atom_array[property->atom]) ||
            !js_message_put(w, p->prop[i].u.value, depth))
            return false;
        ++*count;
    }
    return true;
}

static bool js_message_object(js_message_writer* w, JSObject* p, int depth) {
    uint32_t count;
    if (!js_message_is_plain(w, p) || !js_message_byte(w, 'o'))
        return false;
    return js_message_properties(w, p, 0, &count, depth) && js_message_tagged(w, '{', count);
}

/* Numbers that are not all small are all written as doubles. */
static bool js_message_has_doubles(const JSValue* values, uint32_t count) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        int tag = JS_VALUE_GET_NORM_TAG(values[i]);
        if (tag == JS_TAG_FLOAT64)
            found = found || !js_is_small(JS_VALUE_GET_FLOAT64(values[i]));
        else if (tag != JS_TAG_INT)
            return false;
    }
    return found;
}

static bool js_message_array(js_message_writer* w, JSObject* p, int depth) {
    JSValue length = p->prop[0].u.value;
    uint32_t size = p->u.array.count, count;
    bool has_doubles;
    if (!p->fast_array || JS_VALUE_GET_TAG(length) != JS_TAG_INT ||
        (uint32_t)JS_VALUE_GET_INT(length) != size || !js_message_tagged(w, 'A', size))
        return false;
    has_doubles = js_message_has_doubles(p->u.array.u.values, size);
    for (uint32_t i = 0; i < size; i++) {
        JSValue value = p->u.array.u.values[i];
        if (has_doubles) {
            double number = JS_VALUE_GET_TAG(value) == JS_TAG_INT ? JS_VALUE_GET_INT(value)
                                                                  : JS_VALUE_GET_FLOAT64(value);
            if (!js_message_double(w, 'N', number))
                return false;
        } else if (!js_message_put(w, value, depth)) {
            return false;
        }
    }
    return js_message_properties(w, p, 1, &count, depth) && js_message_tagged(w, '$', count) &&
           js_message_number(w, size);
}

static bool js_message_map(js_message_writer* w, JSObject* p, int depth) {
    JSMapState* state = p->u.map_state;
    bool is_map = p->class_id == JS_CLASS_MAP;
    uint32_t count = 0;
    struct list_head* link;
    if (!js_message_byte(w, is_map ? ';' : '\''))
        return false;
    list_for_each(link, &state->records) {
        JSMapRecord* record = list_entry(link, JSMapRecord, link);
        if (record->empty)
            continue;
        if (!js_message_put(w, record->key, depth) ||
            (is_map && !js_message_put(w, record->value, depth)))
            return false;
        count += is_map ? 2 : 1;
    }
    return js_message_tagged(w, is_map ? ':' : ',', count);
}
