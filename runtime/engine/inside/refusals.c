/* Errors of properties that can't be set, added or deleted name the property and the object, as
 * V8's do. Nothing of the program runs for it. */

/* "#<Foo>", "[object Array]", the source of a function. */
static JSValue js_shown_object(JSContext* ctx, JSValueConst value) {
    if (JS_IsString(value))
        return js_dup(value);
    if (!JS_IsObject(value))
        return JS_ConcatString3(ctx, "#<", js_receiver_type(ctx, value), ">");
    if (js_as_function(ctx, value))
        return js_function_toString(ctx, value, 0, NULL);
    JSObject* p = JS_VALUE_GET_OBJ(value);
    switch (p->class_id) {
    case JS_CLASS_ARRAY:
    case JS_CLASS_NUMBER:
    case JS_CLASS_STRING:
    case JS_CLASS_BOOLEAN:
    case JS_CLASS_SYMBOL:
    case JS_CLASS_BIG_INT:
    case JS_CLASS_DATE:
    case JS_CLASS_REGEXP:
        return JS_ConcatString3(ctx, "[object ", js_class_text(ctx, p), "]");
    default:
        break;
    }
    if (is_typed_array(p->class_id))
        return JS_ConcatString3(ctx, "[object ", js_class_text(ctx, p), "]");
    JSObject* maker = js_as_function(ctx, js_plain_value(ctx, p, JS_ATOM_constructor));
    JSValue name = maker ? js_source_name(ctx, maker) : JS_NULL;
    if (JS_IsNull(name))
        return js_new_string8(ctx, "[object Object]");
    return JS_ConcatString3(ctx, "#<", name, ">");
}

static void js_throw_refusal(JSContext* ctx, js_refusal refusal, const char* key,
                             JSValueConst object) {
    JSValue text = JS_UNDEFINED;
    const char* shown = NULL;
    if (refusal == JS_NO_PLACE ? !JS_IsSymbol(object) : refusal != JS_NO_ROOM)
        text = refusal == JS_NO_PLACE ? JS_ToString(ctx, object) : js_shown_object(ctx, object);
    if (JS_IsException(text))
        return;
    if (!JS_IsUndefined(text) && (shown = JS_ToCString(ctx, text)) == NULL)
        goto done;
    switch (refusal) {
    case JS_READ_ONLY:
        JS_ThrowTypeError(ctx, "Cannot assign to read only property '%s' of %s '%s'", key,
                          JS_IsString(object)          ? "string"
                          : JS_IsFunction(ctx, object) ? "function"
                                                       : "object",
                          shown);
        break;
    case JS_NO_SETTER:
        JS_ThrowTypeError(ctx, "Cannot set property %s of %s which has only a getter", key, shown);
        break;
    case JS_NO_ROOM:
        JS_ThrowTypeError(ctx, "Cannot add property %s, object is not extensible", key);
        break;
    case JS_NO_DELETION:
        JS_ThrowTypeError(ctx, "Cannot delete property '%s' of %s", key, shown);
        break;
    case JS_NO_PLACE:
        JS_ThrowTypeError(ctx, "Cannot create property '%s' on %s '%s'", key,
                          JS_IsString(object)   ? "string"
                          : JS_IsBool(object)   ? "boolean"
                          : JS_IsNumber(object) ? "number"
                          : JS_IsSymbol(object) ? "symbol"
                                                : "bigint",
                          shown ? shown : "Symbol()");
        break;
    }
done:
    JS_FreeCString(ctx, shown);
    JS_FreeValue(ctx, text);
}

static int js_refuse(JSContext* ctx, int flags, js_refusal refusal, JSAtom prop,
                     JSValueConst object) {
    if (!(flags & JS_PROP_THROW) && !((flags & JS_PROP_THROW_STRICT) && is_strict_mode(ctx)))
        return false;
    char name[ATOM_GET_STR_BUF_SIZE];
    char key[ATOM_GET_STR_BUF_SIZE + 16];
    JSValue value = JS_AtomToValue(ctx, prop);
    snprintf(key, sizeof(key), JS_IsSymbol(value) ? "Symbol(%s)" : "%s",
             JS_AtomGetStr(ctx, name, sizeof(name), prop));
    JS_FreeValue(ctx, value);
    js_throw_refusal(ctx, refusal, key, object);
    return -1;
}
