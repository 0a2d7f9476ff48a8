/* What is wrong with a JSON text, in V8's words. */

/* Where in the text: in units of UTF-16, as strings count. */
static int json_position(JSParseState* s, const uint8_t* at) {
    int units = 0;
    for (const uint8_t* p = s->buf_start; p < at; p++)
        units += (*p & 0xc0) != 0x80 ? 1 + (*p >= 0xf0) : 0;
    return units;
}

/* "Unexpected token 'x', ..."before x after"... is not valid JSON" */
static int json_unexpected(JSParseState* s, const uint8_t* at) {
    enum { AROUND = 10 };
    const uint8_t* from = at - s->buf_start > AROUND ? at - AROUND : s->buf_start;
    const uint8_t* to = s->buf_end - at > AROUND ? at + AROUND : s->buf_end;
    const uint8_t* next;
    if (at >= s->buf_end)
        return js_parse_error(s, "Unexpected end of JSON input");
    if (s->buf_end - s->buf_start <= 2 * AROUND) {
        from = s->buf_start;
        to = s->buf_end;
    }
    /* Whole characters only. */
    while (from > s->buf_start && (*from & 0xc0) == 0x80)
        from--;
    while (to < s->buf_end && (*to & 0xc0) == 0x80)
        to++;
    utf8_decode(at, &next);
    return js_parse_error(s, "Unexpected token '%.*s', %s\"%.*s\"%s is not valid JSON",
                          (int)(next - at), at, from > s->buf_start ? "..." : "", (int)(to - from),
                          from, to < s->buf_end ? "..." : "");
}

/* A word that is none of JSON's goes wrong at its first wrong letter. */
static int json_unexpected_token(JSParseState* s) {
    static const char* const words[] = {"true", "false", "null"};
    const uint8_t* at = s->token.ptr;
    for (int i = 0; i < 3; i++) {
        const char* word = words[i];
        if (*at != (uint8_t)*word)
            continue;
        while (at < s->buf_end && *word != 0 && *at == (uint8_t)*word) {
            at++;
            word++;
        }
        break;
    }
    return json_unexpected(s, at);
}

static int json_expected_name(JSParseState* s) {
    bool is_first = s->last_ptr == s->buf_start || s->last_ptr[-1] != ',';
    return json_parse_error(s, s->token.ptr,
                            is_first ? "Expected property name or '}'"
                                     : "Expected double-quoted property name");
}

static int json_expected_end(JSParseState* s) {
    return js_parse_error(s, "Unexpected non-whitespace character after JSON at position %d",
                          json_position(s, s->token.ptr));
}
