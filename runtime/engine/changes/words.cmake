# Errors of the language in V8's words, which programs and their tests look for.
without("errors of the language have the engine's own words")
replace([[return JS_ThrowTypeError(ctx, "cannot convert symbol to string");]]
        [[return JS_ThrowTypeError(ctx, "Cannot convert a Symbol value to a string");]])
foreach(kind null undefined)
  replace("return JS_ThrowTypeErrorAtom(ctx, \"cannot read property '%s' of ${kind}\", prop)"
          "return JS_ThrowTypeErrorAtom(ctx, \
\"Cannot read properties of ${kind} (reading '%s')\", prop)")
  replace(" JS_ThrowTypeErrorAtom(ctx, \"cannot read property '%s' of ${kind}\", atom)"
          " JS_ThrowTypeErrorAtom(ctx, \
\"Cannot read properties of ${kind} (reading '%s')\", atom)")
  replace("JS_ThrowTypeErrorAtom(ctx, \"cannot set property '%s' of ${kind}\", prop)"
          "JS_ThrowTypeErrorAtom(ctx, \"Cannot set properties of ${kind} (setting '%s')\", prop)")
endforeach()
replace([[return JS_ThrowRangeError(ctx, "invalid array length");]]
        [[return JS_ThrowRangeError(ctx, "Invalid array length");]])
replace([[                JS_ThrowTypeError(ctx, "class constructors must be invoked with 'new'");]]
        [[                {
                    const char* name = get_func_name(ctx, func_obj);
                    JS_ThrowTypeError(ctx, "Class constructor %s cannot be invoked without 'new'",
                                      name == NULL ? "" : name);
                    JS_FreeCString(ctx, name);
                }]])
replace([[        JS_ThrowTypeErrorAtom(ctx, "'%s' is read-only", atom);]]
        [[        JSValue key = JS_AtomToValue(ctx, atom);
        if (JS_IsSymbol(key))
            JS_ThrowTypeErrorAtom(ctx, "Cannot assign to read only property 'Symbol(%s)' of object",
                                  atom);
        else
            JS_ThrowTypeErrorAtom(ctx, "Cannot assign to read only property '%s' of object", atom);
        JS_FreeValue(ctx, key);]])
replace([["private class field '%s' does not exist"]]
        [["Cannot read private member %s from an object whose class did not "
                                 "declare it"]])
replace([[        JS_ThrowTypeErrorPrivateNotFound(ctx, prop);
    fail:]]
        [[        JS_ThrowTypeErrorAtom(ctx, "Cannot write private member %s to an object whose "
                                   "class did not declare it", prop);
    fail:]])
replace([[    JS_ThrowError(ctx, JS_URI_ERROR, fmt, ap);]]
        [[    JS_ThrowError(ctx, JS_URI_ERROR, "URI malformed", ap);]])
replace([[        not_configurable:
            return JS_ThrowTypeErrorOrFalse(ctx, flags, "property is not configurable");]]
        [[        not_configurable: {
            char buf[ATOM_GET_STR_BUF_SIZE];
            return JS_ThrowTypeErrorOrFalse(ctx, flags, "Cannot redefine property: %s",
                                            JS_AtomGetStr(ctx, buf, sizeof(buf), prop));
        }]])
