/* What V8 calls the receiver of a call, and the name under which the receiver has the function.
 * Plain properties alone are read: no getter, no proxy and nothing else of the program runs. */

enum { JS_CHAIN_LIMIT = 1000 };

/* NULL: there is no such property. What the engine has put off making is made. */
static JSShapeProperty* js_plain_own(JSContext* ctx, JSObject* p, JSAtom name, JSProperty** pr) {
    JSShapeProperty* prs;
    if (p->class_id == JS_CLASS_PROXY || p->class_id == JS_CLASS_MODULE_NS)
        return NULL;
    prs = find_own_property(pr, p, name);
    if (prs && (prs->flags & JS_PROP_TMASK) == JS_PROP_AUTOINIT) {
        if (JS_AutoInitProperty(ctx, p, name, *pr, prs)) {
            JS_FreeValue(ctx, JS_GetException(ctx));
            return NULL;
        }
        prs = find_own_property(pr, p, name);
    }
    return prs;
}

/* The first of that name in the chain of prototypes, if it is a value; it is the object's. */
static JSValueConst js_plain_value(JSContext* ctx, JSObject* p, JSAtom name) {
    for (int i = 0; p && p->class_id != JS_CLASS_PROXY && i < JS_CHAIN_LIMIT; i++) {
        JSProperty* pr;
        JSShapeProperty* prs = js_plain_own(ctx, p, name, &pr);
        if (prs)
            return (prs->flags & JS_PROP_TMASK) == JS_PROP_NORMAL ? pr->u.value : JS_UNDEFINED;
        p = p->shape->proto;
    }
    return JS_UNDEFINED;
}

static bool js_is_some_text(JSValueConst value) {
    return JS_IsString(value) && !JS_IsEmptyString(value);
}

/* The name that the source gives a function; null: none. */
static JSValue js_source_name(JSContext* ctx, JSObject* p) {
    JSValueConst name;
    if (js_class_has_bytecode(p->class_id)) {
        JSAtom atom = p->u.func.function_bytecode->func_name;
        if (atom != JS_ATOM_NULL && atom != JS_ATOM_empty_string)
            return JS_AtomToString(ctx, atom);
    }
    name = js_plain_value(ctx, p, JS_ATOM_name);
    return js_is_some_text(name) ? js_dup(name) : JS_NULL;
}

static JSObject* js_as_function(JSContext* ctx, JSValueConst value) {
    bool is_plain = JS_IsFunction(ctx, value) && !JS_IsProxy(value);
    return is_plain ? JS_VALUE_GET_OBJ(value) : NULL;
}

/* A private name as those of classes; made when it is first needed. */
static JSAtom js_maker_key(JSContext* ctx) {
    JSRuntime* rt = ctx->rt;
    if (rt->maker_key == JS_ATOM_NULL) {
        JSValue key = JS_NewSymbolFromAtom(ctx, JS_ATOM_constructor, JS_ATOM_TYPE_PRIVATE);
        if (!JS_IsException(key))
            rt->maker_key = js_symbol_to_atom(ctx, key); /* with the value's reference */
    }
    return rt->maker_key;
}

static void js_put_maker(JSContext* ctx, JSObject* p, JSValue name_owned) {
    JSAtom key = js_maker_key(ctx);
    JSProperty* pr = NULL;
    if (js_is_some_text(name_owned) && key != JS_ATOM_NULL && !find_own_property(&pr, p, key))
        pr = add_property(ctx, p, key, JS_PROP_C_W_E);
    else
        pr = NULL;
    if (pr)
        pr->u.value = name_owned;
    else
        JS_FreeValue(ctx, name_owned);
}

/* Remembers the function that is the first to make objects with a prototype that does not name it:
 * nothing else tells whose they are. */
static void js_note_first_maker(JSContext* ctx, JSObject* proto, JSObject* maker) {
    JSProperty* pr;
    proto->has_maker = true;
    if (!proto->is_exotic && !find_own_property(&pr, proto, JS_ATOM_constructor))
        js_put_maker(ctx, proto, js_source_name(ctx, maker));
}

static inline void js_note_maker(JSContext* ctx, JSValueConst made, JSObject* maker) {
    JSObject* proto = JS_VALUE_GET_OBJ(made)->shape->proto;
    if (proto && unlikely(!proto->has_maker))
        js_note_first_maker(ctx, proto, maker);
}

static JSValue js_maker_name(JSContext* ctx, JSObject* p) {
    JSObject *proto = p->shape->proto, *told = proto ? proto : p;
    JSProperty* pr;
    /* What a prototype knows is of those that are made with it. */
    if ((proto ? !proto->has_maker : p->has_maker) || ctx->rt->maker_key == JS_ATOM_NULL ||
        !find_own_property(&pr, told, ctx->rt->maker_key))
        return JS_NULL;
    return js_dup(pr->u.value);
}

/* An object that is about to lose its prototype, which tells who made it, keeps the name of a
 * function that is no derived class. */
static void js_note_orphan(JSContext* ctx, JSObject* p) {
    JSObject* constructor;
    JSProperty* pr;
    JSShapeProperty* prs;
    if (p->class_id != JS_CLASS_OBJECT || p->is_exotic || !p->shape->proto)
        return;
    prs = js_plain_own(ctx, p->shape->proto, JS_ATOM_constructor, &pr);
    constructor = prs && (prs->flags & JS_PROP_TMASK) == JS_PROP_NORMAL
                      ? js_as_function(ctx, pr->u.value)
                      : NULL;
    if (constructor && constructor->class_id == JS_CLASS_BYTECODE_FUNCTION &&
        !constructor->u.func.function_bytecode->is_derived_class_constructor)
        js_put_maker(ctx, p, js_source_name(ctx, constructor));
}

static JSValue js_class_text(JSContext* ctx, JSObject* p) {
    JSAtom name;
    if (p->class_id == JS_CLASS_ARGUMENTS || p->class_id == JS_CLASS_MAPPED_ARGUMENTS)
        name = JS_ATOM_Arguments;
    else
        name = ctx->rt->class_array[p->class_id].class_name;
    return JS_AtomToString(ctx, name);
}

/* The prototypes of classes alone can't be replaced. */
static bool js_is_class(JSObject* p) {
    JSProperty* pr;
    JSShapeProperty* prs = find_own_property(&pr, p, JS_ATOM_prototype);
    return prs && (prs->flags & (JS_PROP_TMASK | JS_PROP_WRITABLE)) == JS_PROP_NORMAL;
}

/* Those that have their name from elsewhere than from their constructor; null: others. */
static JSValue js_odd_type(JSContext* ctx, JSObject* p) {
    switch (p->class_id) {
    case JS_CLASS_PROXY:
        return js_new_string8(ctx, "Proxy");
    case JS_CLASS_ARGUMENTS:
    case JS_CLASS_MAPPED_ARGUMENTS:
        return js_class_text(ctx, p);
    case JS_CLASS_GENERATOR:
        if (p->u.generator_data && JS_IsObject(p->u.generator_data->func_state.frame.cur_func))
            return js_source_name(ctx,
                                  JS_VALUE_GET_OBJ(p->u.generator_data->func_state.frame.cur_func));
        return JS_NULL;
    case JS_CLASS_BYTECODE_FUNCTION:
        return js_is_class(p) ? js_source_name(ctx, p) : JS_NULL;
    default:
        return JS_NULL;
    }
}

static JSValue js_object_type(JSContext* ctx, JSObject* p) {
    JSValueConst found;
    JSObject* constructor;
    JSValue name = js_odd_type(ctx, p);
    if (JS_IsNull(name))
        name = js_maker_name(ctx, p);
    if (JS_IsNull(name) && !p->shape->proto)
        name = js_class_text(ctx, p);
    if (!JS_IsNull(name))
        return name;
    found = js_plain_value(ctx, p, JS_ATOM_Symbol_toStringTag);
    if (js_is_some_text(found))
        return js_dup(found);
    found = js_plain_value(ctx, p, JS_ATOM_constructor);
    constructor = js_as_function(ctx, found);
    name = constructor ? js_source_name(ctx, constructor) : JS_NULL;
    return JS_IsNull(name) ? js_class_text(ctx, p) : name;
}

/* "Map" of a Map, "A" of what is made with class A; null: undefined, null and the global object. */
JSValue js_receiver_type(JSContext* ctx, JSValueConst receiver) {
    switch (JS_VALUE_GET_NORM_TAG(receiver)) {
    case JS_TAG_OBJECT:
        if (js_same_value(ctx, receiver, ctx->global_obj))
            return JS_NULL;
        return js_object_type(ctx, JS_VALUE_GET_OBJ(receiver));
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
        return js_new_string8(ctx, "String");
    case JS_TAG_INT:
    case JS_TAG_FLOAT64:
        return js_new_string8(ctx, "Number");
    case JS_TAG_BOOL:
        return js_new_string8(ctx, "Boolean");
    case JS_TAG_SYMBOL:
        return js_new_string8(ctx, "Symbol");
    case JS_TAG_BIG_INT:
    case JS_TAG_SHORT_BIG_INT:
        return js_new_string8(ctx, "BigInt");
    default:
        return JS_NULL;
    }
}

static bool js_property_is(JSShapeProperty* prs, JSProperty* pr, JSObject* function) {
    int kind = prs->flags & JS_PROP_TMASK;
    if (kind == JS_PROP_GETSET)
        return pr->u.getset.getter == function || pr->u.getset.setter == function;
    return kind == JS_PROP_NORMAL && JS_VALUE_GET_TAG(pr->u.value) == JS_TAG_OBJECT &&
           JS_VALUE_GET_OBJ(pr->u.value) == function;
}

/* Whether the first property of that name in the chain is the function. */
static bool js_has_under(JSContext* ctx, JSObject* p, JSAtom name, JSObject* function) {
    for (int i = 0; p && p->class_id != JS_CLASS_PROXY && i < JS_CHAIN_LIMIT; i++) {
        JSProperty* pr;
        JSShapeProperty* prs = js_plain_own(ctx, p, name, &pr);
        if (prs)
            return js_property_is(prs, pr, function);
        p = p->shape->proto;
    }
    return false;
}

/* The only name under which the chain has the function as a value, JS_ATOM_NULL: none or several.
 * V8 does not look at elements of arrays. */
static JSAtom js_search_method(JSObject* p, JSObject* function) {
    JSAtom found = JS_ATOM_NULL;
    for (int i = 0; p && p->class_id != JS_CLASS_PROXY && i < JS_CHAIN_LIMIT; i++) {
        JSShapeProperty* prs = get_shape_prop(p->shape);
        for (int j = 0; j < p->shape->prop_count; j++, prs++) {
            if (prs->atom == JS_ATOM_NULL || __JS_AtomIsTaggedInt(prs->atom) ||
                (prs->flags & JS_PROP_TMASK) == JS_PROP_GETSET ||
                !js_property_is(prs, &p->prop[j], function))
                continue;
            if (found != JS_ATOM_NULL)
                return JS_ATOM_NULL;
            found = prs->atom;
        }
        p = p->shape->proto;
    }
    return found;
}

/* "g" of the getter "get g", and of what is called "g"; the caller's, JS_ATOM_NULL: no name. */
static JSAtom js_name_to_search(JSContext* ctx, JSObject* function) {
    JSValue name = js_source_name(ctx, function);
    const char* text = JS_IsNull(name) ? NULL : JS_ToCString(ctx, name);
    JSAtom atom = JS_ATOM_NULL;
    if (text) {
        bool is_accessor = !strncmp(text, "get ", 4) || !strncmp(text, "set ", 4);
        atom = JS_NewAtom(ctx, is_accessor ? text + 4 : text);
    }
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, name);
    return atom;
}

/* The receiver's own name for the function, where it is told; null: none. */
JSValue js_receiver_method(JSContext* ctx, JSValueConst receiver, JSValueConst function) {
    JSObject *p, *f = JS_VALUE_GET_OBJ(function);
    JSValue boxed, name = JS_NULL;
    JSAtom atom, found;
    if (JS_IsUndefined(receiver) || JS_IsNull(receiver))
        return JS_NULL;
    boxed = JS_ToObject(ctx, receiver);
    if (JS_IsException(boxed)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_NULL;
    }
    p = JS_VALUE_GET_OBJ(boxed);
    atom = js_name_to_search(ctx, f);
    found = atom != JS_ATOM_NULL && js_has_under(ctx, p, atom, f) ? atom : js_search_method(p, f);
    if (found != JS_ATOM_NULL && JS_AtomGetKind(ctx, found) == JS_ATOM_KIND_STRING)
        name = JS_AtomToString(ctx, found);
    JS_FreeAtom(ctx, atom);
    JS_FreeValue(ctx, boxed);
    return name;
}
