/* How often functions and blocks run. Code that was compiled while the thread counts has
 * "push_i32 PLACE, invalid, drop" at the start of each; the places of a text follow each other. */
static __thread uint64_t* js_count_values;
static __thread uint32_t js_count_used, js_count_room;
static __thread bool js_is_counting;
typedef struct js_counted {
    int start, end, function, kind;
} js_counted;
/* Told of each text that was compiled with counts. */
void (*js_counted_hook)(JSContext* ctx, const char* source, size_t length, const char* file,
                        const js_counted* ranges, int count, uint32_t first);

static void js_count(JSValueConst place) {
    if (JS_VALUE_GET_TAG(place) == JS_TAG_INT && (uint32_t)JS_VALUE_GET_INT(place) < js_count_used)
        js_count_values[JS_VALUE_GET_INT(place)]++;
}

void js_count_blocks(bool is_on) {
    js_is_counting = is_on;
}

uint64_t js_counted_at(uint32_t place) {
    return place < js_count_used ? js_count_values[place] : 0;
}

void js_counts_clear(void) {
    if (js_count_used > 0)
        memset(js_count_values, 0, js_count_used * sizeof(*js_count_values));
}

/* Room for the places of one more text. */
static bool js_count_grow(uint32_t more) {
    uint32_t room = js_count_room;
    if (more > INT32_MAX - js_count_used)
        return false;
    while (room - js_count_used < more)
        room = room == 0 ? 4096 : 2 * room;
    if (room != js_count_room) {
        uint64_t* larger = (realloc)(js_count_values, room * sizeof(*larger));
        if (larger == NULL)
            return false;
        js_count_values = larger;
        js_count_room = room;
    }
    memset(js_count_values + js_count_used, 0, more * sizeof(*js_count_values));
    js_count_used += more;
    return true;
}
