# The global object of a context may be one that answers itself (runtime/bindings/contexts.c).
without("contexts of vm have global objects of their own, and names are copied")
replace("    if (flags & DEFINE_GLOBAL_LEX_VAR) {
        if (prs && !(prs->flags & JS_PROP_CONFIGURABLE))"
        "    if (p->is_exotic) {
    } else if (flags & DEFINE_GLOBAL_LEX_VAR) {
        if (prs && !(prs->flags & JS_PROP_CONFIGURABLE))")
replace("    prs = find_own_property1(p, prop);
    if (prs)
        return 0;
    if (!p->extensible)
        return 0;
    pr = add_property(ctx, p, prop, flags);"
        "    if (p->is_exotic) {
        JSValueConst global = JS_MKPTR(JS_TAG_OBJECT, p);
        int found = JS_GetOwnProperty(ctx, NULL, global, prop);
        if (found != 0)
            return found < 0 ? -1 : 0;
        return JS_DefineProperty(ctx, global, prop, JS_UNDEFINED, JS_UNDEFINED, JS_UNDEFINED,
                                 flags | JS_PROP_HAS_VALUE | JS_PROP_HAS_CONFIGURABLE |
                                 JS_PROP_HAS_WRITABLE | JS_PROP_HAS_ENUMERABLE |
                                 JS_PROP_THROW) < 0 ? -1 : 0;
    }
    prs = find_own_property1(p, prop);
    if (prs)
        return 0;
    if (!p->extensible)
        return 0;
    pr = add_property(ctx, p, prop, flags);")
replace("            return js_dup(pr->u.value);
    }
    return JS_GetPropertyInternal(ctx, ctx->global_obj, prop,
                                 ctx->global_obj, throw_ref_error);"
        "            return js_dup(pr->u.value);
    }
    if (unlikely(p->is_exotic) && throw_ref_error) {
        int found = JS_HasProperty(ctx, ctx->global_obj, prop);
        if (found <= 0)
            return found < 0 ? JS_EXCEPTION : JS_ThrowReferenceErrorNotDefined(ctx, prop);
    }
    return JS_GetPropertyInternal(ctx, ctx->global_obj, prop,
                                 ctx->global_obj, throw_ref_error);")
append_file(globals.c)
