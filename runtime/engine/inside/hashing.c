/* Hashes of names, keys and shapes that nobody can foresee who does not know the seed of this
 * process: chosen names can't be made to meet in one chain.
 *
 * Short strings, numbers and shapes: the sum of all pieces, each times a secret number of its place
 * (multilinear hashing: two different inputs meet with the probability of chance, for whoever
 * chose them without the secrets). Longer strings: SipHash-1-3. Both work on units of 16 bits, so
 * that neither the width of a string nor the pieces of a rope matter. */
enum { JS_HASH_PLACES = 48 };

static struct {
    uint64_t sip[2];
    uint64_t atom; /* odd; 0: there are no secrets yet */
    uint64_t length;
    uint64_t word[2];
    uint64_t place[JS_HASH_PLACES];
} js_secrets;

typedef struct {
    uint64_t v0, v1, v2, v3;
    uint64_t block; /* of the units that do not fill a block yet */
    uint64_t count; /* units so far */
} JSSipHash;

static inline uint64_t js_rotate(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

static inline void js_sip_round(JSSipHash* s) {
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = js_rotate(s->v1, 13) ^ s->v0;
    s->v3 = js_rotate(s->v3, 16) ^ s->v2;
    s->v0 = js_rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = js_rotate(s->v1, 17) ^ s->v2;
    s->v3 = js_rotate(s->v3, 21) ^ s->v0;
    s->v2 = js_rotate(s->v2, 32);
}

static inline void js_sip_block(JSSipHash* s, uint64_t block) {
    s->v3 ^= block;
    js_sip_round(s);
    s->v0 ^= block;
}

static void js_sip_start(JSSipHash* s, const uint64_t key[2]) {
    s->v0 = key[0] ^ 0x736f6d6570736575u;
    s->v1 = key[1] ^ 0x646f72616e646f6du;
    s->v2 = key[0] ^ 0x6c7967656e657261u;
    s->v3 = key[1] ^ 0x7465646279746573u;
    s->block = s->count = 0;
}

static void js_sip_unit(JSSipHash* s, uint16_t unit) {
    s->block |= (uint64_t)unit << (s->count % 4 * 16);
    if (++s->count % 4 == 0) {
        js_sip_block(s, s->block);
        s->block = 0;
    }
}

static uint64_t js_sip_end(JSSipHash* s) {
    js_sip_block(s, s->block | s->count * 2 << 56);
    s->v2 ^= 0xff;
    for (int i = 0; i < 3; i++)
        js_sip_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static void js_sip_bytes(JSSipHash* s, const uint8_t* bytes, size_t len) {
    size_t i = 0;
    while (i < len && s->count % 4 != 0)
        js_sip_unit(s, bytes[i++]);
    for (; i + 4 <= len; i += 4, s->count += 4)
        js_sip_block(s, bytes[i] | (uint64_t)bytes[i + 1] << 16 | (uint64_t)bytes[i + 2] << 32 |
                            (uint64_t)bytes[i + 3] << 48);
    while (i < len)
        js_sip_unit(s, bytes[i++]);
}

static void js_sip_string(JSSipHash* s, JSString* str) {
    if (!str->is_wide_char) {
        js_sip_bytes(s, str8(str), str->len);
        return;
    }
    const uint16_t* units = str16(str);
    for (size_t i = 0; i < str->len; i++)
        js_sip_unit(s, units[i]);
}

/* Whether names that were made one after the other, whose numbers follow each other, spread well in
 * tables of up to thousands: no quotient of the continued fraction of multiplier / 2^64 is large.
 */
static bool js_spreads(uint64_t multiplier) {
    uint64_t a = multiplier, b = -multiplier % multiplier, denominator = 1, before = 0;
    uint64_t quotient = -multiplier / multiplier + 1; /* of 2^64, which is no number here */
    for (;;) {
        uint64_t next = quotient * denominator + before;
        if (quotient > 5)
            return false;
        if (next > 4096 || b == 0)
            return true;
        before = denominator;
        denominator = next;
        quotient = a / b;
        next = a % b;
        a = b;
        b = next;
    }
}

static uint64_t js_secret(const uint64_t seed[2], uint16_t number) {
    JSSipHash s;
    js_sip_start(&s, seed);
    js_sip_unit(&s, number);
    return js_sip_end(&s);
}

/* Before the first runtime of the process is made, and never after it. */
void js_seed_hashes(const uint64_t seed[2]) {
    uint16_t number = 0;
    js_secrets.sip[0] = js_secret(seed, number++);
    js_secrets.sip[1] = js_secret(seed, number++);
    js_secrets.length = js_secret(seed, number++);
    js_secrets.word[0] = js_secret(seed, number++);
    js_secrets.word[1] = js_secret(seed, number++);
    for (int i = 0; i < JS_HASH_PLACES; i++)
        js_secrets.place[i] = js_secret(seed, number++);
    do
        js_secrets.atom = js_secret(seed, number++) | 1;
    while (!js_spreads(js_secrets.atom));
}

/* Whoever gives no seed, as a compiler of trusted sources, has the same hashes in each process. */
static void js_need_secrets(void) {
    static const uint64_t none[2];
    if (js_secrets.atom == 0)
        js_seed_hashes(none);
}

/* Inputs that differ regularly have sums that do: mixed, so that tables of any size are filled
 * evenly. */
static inline uint32_t js_hash_of_sum(uint64_t sum) {
    sum ^= sum >> 32;
    return sum * 0x9e3779b97f4a7c15u >> 32;
}

static inline uint32_t js_hash_word(uint64_t word, uint32_t kind) {
    return js_hash_of_sum(js_secrets.length * kind + js_secrets.word[0] * (uint32_t)word +
                          js_secrets.word[1] * (word >> 32));
}

static inline uint64_t js_sum8(const uint8_t* str, size_t len, const uint64_t* secret) {
    uint64_t sum = 0;
#pragma GCC unroll 4
    for (size_t i = 0; i < len; i++)
        sum += secret[i] * str[i];
    return sum;
}

static inline uint64_t js_sum16(const uint16_t* str, size_t len, const uint64_t* secret) {
    uint64_t sum = 0;
    for (size_t i = 0; i < len; i++)
        sum += secret[i] * str[i];
    return sum;
}

/* What the length, and what kind of name it is, give to the sum. */
static inline uint64_t js_sum_length(size_t len, uint32_t kind) {
    return js_secrets.length * ((uint64_t)len << 8 | kind);
}

static no_inline uint32_t js_hash_long_bytes(const uint8_t* bytes, size_t len, uint32_t kind) {
    JSSipHash s;
    js_sip_start(&s, js_secrets.sip);
    js_sip_bytes(&s, bytes, len);
    return js_sip_end(&s) + kind;
}

static uint32_t hash_string8(const uint8_t* bytes, size_t len, uint32_t kind) {
    if (unlikely(len > JS_HASH_PLACES))
        return js_hash_long_bytes(bytes, len, kind);
    return js_hash_of_sum(js_sum_length(len, kind) + js_sum8(bytes, len, js_secrets.place));
}

static no_inline uint32_t js_hash_wide(JSString* str, uint32_t kind) {
    JSSipHash s;
    if (str->len <= JS_HASH_PLACES)
        return js_hash_of_sum(js_sum_length(str->len, kind) +
                              js_sum16(str16(str), str->len, js_secrets.place));
    js_sip_start(&s, js_secrets.sip);
    js_sip_string(&s, str);
    return js_sip_end(&s) + kind;
}

static uint32_t hash_string(JSString* str, uint32_t kind) {
    if (str->is_wide_char)
        return js_hash_wide(str, kind);
    return hash_string8(str8(str), str->len, kind);
}

static uint64_t js_sum_rope(JSValueConst val, const uint64_t** secret) {
    if (JS_VALUE_GET_TAG(val) == JS_TAG_STRING) {
        JSString* str = JS_VALUE_GET_STRING(val);
        uint64_t sum = str->is_wide_char ? js_sum16(str16(str), str->len, *secret)
                                         : js_sum8(str8(str), str->len, *secret);
        *secret += str->len;
        return sum;
    }
    JSStringRope* r = JS_VALUE_GET_STRING_ROPE(val);
    uint64_t left = js_sum_rope(r->left, secret);
    return left + js_sum_rope(r->right, secret);
}

static void js_sip_rope(JSSipHash* s, JSValueConst val) {
    if (JS_VALUE_GET_TAG(val) == JS_TAG_STRING) {
        js_sip_string(s, JS_VALUE_GET_STRING(val));
        return;
    }
    JSStringRope* r = JS_VALUE_GET_STRING_ROPE(val);
    js_sip_rope(s, r->left);
    js_sip_rope(s, r->right);
}

static uint32_t hash_string_rope(JSValueConst val, uint32_t kind) {
    uint32_t len = JS_VALUE_GET_STRING_ROPE(val)->len;
    const uint64_t* secret = js_secrets.place;
    JSSipHash s;
    if (len <= JS_HASH_PLACES)
        return js_hash_of_sum(js_sum_length(len, kind) + js_sum_rope(val, &secret));
    js_sip_start(&s, js_secrets.sip);
    js_sip_rope(&s, val);
    return js_sip_end(&s) + kind;
}

/* The limbs of a big integer. */
static uint32_t js_hash_limbs(const uint32_t* limbs, size_t count) {
    JSSipHash s;
    js_sip_start(&s, js_secrets.sip);
    for (size_t i = 0; i < count; i++) {
        js_sip_unit(&s, limbs[i]);
        js_sip_unit(&s, limbs[i] >> 16);
    }
    return js_sip_end(&s);
}

static uint64_t xorshift64star(uint64_t* pstate);

/* Math.random of the context begins again, as in one that is made now. */
void js_seed_random(JSContext* ctx) {
    uint64_t now = js__gettimeofday_us();
    ctx->random_state = now != 0 ? now : 1;
    xorshift64star(&ctx->random_state);
}
