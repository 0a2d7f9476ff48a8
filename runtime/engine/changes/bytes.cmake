# The memory of an ArrayBuffer can be pinned, and that of a resizable one never moves: it has room
# for the largest size from the start (runtime/bindings/bytes.c).
without("ArrayBuffers are copied where they should be transferred, and can't be resized")
replace("abuf->data = js_mallocz(ctx, max_int(len, 1));"
        "abuf->data = js_mallocz(ctx, max_int(max_len ? *max_len : len, 1));")
replace("new_bs = realloc_func(ctx->rt, opaque, bs, new_len);"
        "new_bs = realloc_func(ctx->rt, opaque, bs, pmax_len ? max_len : new_len);")
replace("data = abuf->realloc_func(ctx->rt, abuf->opaque, abuf->data,
                                  max_int(len, 1));"
        "data = abuf->data;")
append_file(bytes.c)
