# What is wrong with a JSON text is said in V8's words, which programs show and compare.
without("errors of JSON.parse have the engine's words")
insert_file_before("static JSValue json_parse_value(JSParseState *s, JSONParseRecord *pr)
{" json.c)
replace("\"%s in JSON at position %d (line %d column %d)\",
                          msg, position, line, (int)(p - line_start) + 1);"
        "\"%s in JSON at position %d\", msg, position);")
replace("js_parse_error(s, \"unexpected token: '%.*s'\",
                           (int)(s->buf_ptr - s->token.ptr), s->token.ptr);"
        "json_unexpected_token(s);")
replace("json_parse_error(s, s->token.ptr, \"Expected property name or '}'\");"
        "json_expected_name(s);")
replace("js_parse_error(s, \"unexpected data at the end\")" "json_expected_end(s)")
