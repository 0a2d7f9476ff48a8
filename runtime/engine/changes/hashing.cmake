# Names, keys of Map and Set, and shapes of objects are hashed with secrets of this process
# (runtime/engine/runtime.c draws their seed): keys that somebody chose do not gather in one chain.
without("chosen keys make JSON.parse, objects, Map and Set slow")
set(old "static inline uint32_t hash_string8(const uint8_t *str, size_t len, uint32_t h)
{
    size_t i;

    for(i = 0; i < len; i++)
        h = h * 263 + str[i];
    return h ^ hash32(len);
}

static inline uint32_t hash_string16(const uint16_t *str,
                                     size_t len, uint32_t h)
{
    size_t i;

    for(i = 0; i < len; i++)
        h = h * 263 + str[i];
    return h ^ hash32(len);
}

static uint32_t hash_string(JSString *str, uint32_t h)
{
    if (str->is_wide_char)
        h = hash_string16(str16(str), str->len, h);
    else
        h = hash_string8(str8(str), str->len, h);
    return h;
}

static uint32_t hash_string_rope(JSValueConst val, uint32_t h)
{
    if (JS_VALUE_GET_TAG(val) == JS_TAG_STRING) {
        return hash_string(JS_VALUE_GET_STRING(val), h);
    } else {
        JSStringRope *r = JS_VALUE_GET_STRING_ROPE(val);
        h = hash_string_rope(r->left, h);
        return hash_string_rope(r->right, h);
    }
}
")
read_code(hashing.c)
replace("${old}" "${code}")
insert_before("JSRuntime *JS_NewRuntime2(" "static void js_need_secrets(void);

")
insert_before("    init_list_head(&rt->context_list);
    init_list_head(&rt->gc_obj_list);" "    js_need_secrets();
")

# The numbers of names follow each other, and those of names like "123" are that number.
replace("    return hash_uintptr(atom) >> shift;"
        "    return atom * (uintptr_t)js_secrets.atom >> shift;")
replace("static uint32_t shape_hash(uint32_t h, uint32_t val)
{
    return hash32(h + val);
}
" "static uint32_t shape_hash(uint32_t h, JSAtom atom, int prop_flags)
{
    return js_hash_word((uint64_t)h << 32 | atom, prop_flags);
}
")
replace("    uint32_t h;
    h = shape_hash(1, (uintptr_t)proto);
    if (sizeof(proto) > 4)
        h = shape_hash(h, (uint64_t)(uintptr_t)proto >> 32);
    return h;
" "    return js_hash_word((uintptr_t)proto, 0);
")
replace("shape_hash(shape_hash(sh->hash, atom), prop_flags)"
        "shape_hash(sh->hash, atom, prop_flags)")
replace("    h = sh->hash;
    h = shape_hash(h, atom);
    h = shape_hash(h, prop_flags);
" "    h = shape_hash(sh->hash, atom, prop_flags);
")

# Keys of Map and Set. Contexts of one runtime hash alike: they share their maps.
replace("        h = JS_VALUE_GET_INT(key);
        break;
    case JS_TAG_STRING:
        h = hash_string(JS_VALUE_GET_STRING(key), 0);
        break;
    case JS_TAG_STRING_ROPE:
        h = hash_string_rope(key, 0);
        break;" "        h = JS_VALUE_GET_INT(key);
        break;
    case JS_TAG_STRING:
        return hash_string(JS_VALUE_GET_STRING(key), 0);
    case JS_TAG_STRING_ROPE:
        return hash_string_rope(key, 0);")
replace("        h = (uintptr_t)JS_VALUE_GET_PTR(key) * 3163;
        break;
" "        return js_hash_word((uintptr_t)JS_VALUE_GET_PTR(key), tag);
")
replace("        h = hash_string8((void *)r->tab, r->len * sizeof(*r->tab), 0);
        break;
" "        return js_hash_limbs(r->tab, r->len);
")
replace("        h = (u.u32[0] ^ u.u32[1]) * 3163;
        tag = JS_TAG_FLOAT64;
        break;
" "        return js_hash_word(u.u64, JS_TAG_FLOAT64);
")
replace("    return h ^ ctx->hash_seed ^ hash32(tag);" "    return js_hash_word(h, tag);")

# The table of shapes grows with them, also where they come from one that an empty object keeps.
insert_before("            /* hash the cloned shape */
            new_sh->is_hashed = true;"
              "            if (2 * (ctx->rt->shape_hash_count + 1) > ctx->rt->shape_hash_size)
                resize_shape_hash(ctx->rt, ctx->rt->shape_hash_bits + 1);
")
