/* The text of an eval() has no name of its own. */
static bool js_is_nameless(JSContext* ctx, JSAtom file) {
    const char* text = JS_AtomToCString(ctx, file);
    bool is = text != NULL && strcmp(text, "<input>") == 0;
    JS_FreeCString(ctx, text);
    return is;
}
