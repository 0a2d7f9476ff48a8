# Functions that the engine has as bytecode (Array.fromAsync, Iterator.zip) come from no file. The
# name of nothing is an empty string, which ends with a zero as others do.
without("names cut from long strings, and the file of Array.fromAsync, are read beyond their end")
replace("            p = js_mallocz_rt(rt, sizeof(JSAtomStruct));
            if (!p) {
                js_free_rt(rt, new_array);"
        "            p = js_mallocz_rt(rt, sizeof(JSAtomStruct) + 1);
            if (!p) {
                js_free_rt(rt, new_array);")
replace("        csd->filename = JS_AtomToString(ctx, b->filename);"
        "        csd->filename =
            b->filename == JS_ATOM_NULL ? JS_NULL : JS_AtomToString(ctx, b->filename);")
replace("    if (b) {
        return JS_AtomToString(ctx, b->filename);"
        "    if (b && b->filename != JS_ATOM_NULL) {
        return JS_AtomToString(ctx, b->filename);")

# A name is a string of its own: a part of another one would keep that one for ever, and would not
# end with a zero either.
replace("        if (str->atom_type == 0) {
            p = str;"
        "        if (str->atom_type == 0 && str->kind == JS_STRING_KIND_NORMAL) {
            p = str;")
replace("            memcpy(str8(p), str8(str), (str->len << str->is_wide_char) +
                   1 - str->is_wide_char);
            js_free_string(rt, str);"
        "            memcpy(str8(p), str8(str), str->len << str->is_wide_char);
            if (!p->is_wide_char)
                str8(p)[p->len] = '\\0';
            js_free_string(rt, str);")
