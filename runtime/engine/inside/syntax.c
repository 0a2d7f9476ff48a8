static int js_parse_redeclared(JSParseState* s, JSAtom name) {
    char buf[ATOM_GET_STR_BUF_SIZE];
    return js_parse_error(s, "Identifier '%s' has already been declared",
                          JS_AtomGetStr(s->ctx, buf, sizeof(buf), name));
}
