#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <string.h>

/* Whether a text is JSON and nothing else. Of UTF-8 only the shape is looked at. */

static const char* json_value(const char* at, int depth);

static const char* json_space(const char* at) {
    return at + strspn(at, " \t\r\n");
}

/* From behind the first quote on; each returns NULL where it is not JSON. */
static const char* json_string(const char* at) {
    for (; *at != '"'; at++) {
        unsigned char c = (unsigned char)*at;
        int more = c < 0x80 ? 0 : c < 0xc2 || c > 0xf4 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
        if (c < 0x20 || more < 0)
            return NULL;
        for (; more > 0; more--)
            if (((unsigned char)*++at & 0xc0) != 0x80)
                return NULL;
        if (c != '\\')
            continue;
        at++;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
            at += 4;
        else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL)
            return NULL;
    }
    return at + 1;
}

static const char* json_number(const char* at) {
    static const char digits[] = "0123456789";
    at += *at == '-';
    size_t whole = strspn(at, digits);
    if (whole == 0 || (*at == '0' && whole > 1))
        return NULL;
    at += whole;
    if (*at == '.') {
        size_t part = strspn(at + 1, digits);
        if (part == 0)
            return NULL;
        at += 1 + part;
    }
    return at;
}

static const char* json_members(const char* at, bool named, char end, int depth) {
    at = json_space(at);
    if (*at == end)
        return at + 1;
    for (;; at++) {
        at = json_space(at);
        if (named) {
            at = *at == '"' ? json_string(at + 1) : NULL;
            at = at != NULL ? json_space(at) : NULL;
            if (at == NULL || *at++ != ':')
                return NULL;
        }
        at = json_value(at, depth);
        if (at == NULL)
            return NULL;
        at = json_space(at);
        if (*at == end)
            return at + 1;
        if (*at != ',')
            return NULL;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): the depth is bounded */
static const char* json_value(const char* at, int depth) {
    static const char* const words[] = {"true", "false", "null"};
    at = json_space(at);
    if (depth > 20)
        return NULL;
    if (*at == '{' || *at == '[')
        return json_members(at + 1, *at == '{', *at == '{' ? '}' : ']', depth + 1);
    if (*at == '"')
        return json_string(at + 1);
    for (int i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return json_number(at);
}

static bool is_json(const char* text) {
    const char* end = json_value(text, 0);
    return end != NULL && *json_space(end) == '\0';
}

#endif
