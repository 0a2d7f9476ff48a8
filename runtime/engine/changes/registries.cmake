# An object that is its own token in a FinalizationRegistry can be collected: the token is not kept
# then. It lives exactly as long as the entry does.
without("objects that are their own tokens in a FinalizationRegistry are never collected")
replace("    fre->token = js_dup(token);"
        "    fre->token = js_same_value(ctx, target, token) ? JS_UNINITIALIZED : js_dup(token);")
replace("        if (js_same_value(ctx, fre->token, token)) {
            list_del(&fre->link);"
        "        if (js_same_value(ctx, JS_IsUninitialized(fre->token) ? fre->target : fre->token,
                          token)) {
            list_del(&fre->link);")
