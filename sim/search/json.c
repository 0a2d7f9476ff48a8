#include "search/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct reader {
    const char* at;
    int line;
    int depth;
    const char* why;
};

static void skip_space(struct reader* reader) {
    for (; isspace((unsigned char)*reader->at); reader->at++)
        reader->line += *reader->at == '\n';
}

/* Never goes past the end of the text. */
static bool take(struct reader* reader, char wanted) {
    bool found = *reader->at == wanted;
    reader->at += found;
    return found;
}

static struct json* fail(struct reader* reader, const char* why) {
    if (reader->why == NULL)
        reader->why = why;
    return NULL;
}

static struct json* make(struct reader* reader, enum json_kind kind) {
    struct json* value = calloc(1, sizeof(*value));
    if (value == NULL)
        return fail(reader, "no memory");
    value->kind = kind;
    value->line = reader->line;
    return value;
}

/* A character by its number, as UTF-8; pairs of surrogates are not put together. */
static size_t put_utf8(char* out, unsigned code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3f));
    out[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

static bool read_escape(struct reader* reader, char* out, size_t* length) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = *reader->at;
    reader->at += c != '\0';
    const char* found = c != '\0' ? strchr(from, c) : NULL;
    if (found != NULL) {
        out[(*length)++] = to[found - from];
        return true;
    }
    char digits[5] = {0};
    if (c != 'u' || strspn(reader->at, "0123456789abcdefABCDEF") < 4)
        return false;
    memcpy(digits, reader->at, 4);
    unsigned code = (unsigned)strtoul(digits, NULL, 16);
    reader->at += 4;
    *length += put_utf8(out + *length, code);
    return code != 0;
}

static char* read_text(struct reader* reader) {
    size_t room = strcspn(reader->at + 1, "\n") + 1;
    char* text = malloc(room);
    size_t length = 0;
    if (text == NULL)
        return NULL;
    for (reader->at++; *reader->at != '"';) {
        if ((unsigned char)*reader->at < 0x20) {
            fail(reader, "a text that does not end");
            break;
        }
        if (*reader->at != '\\') {
            text[length++] = *reader->at++;
            continue;
        }
        reader->at++;
        if (!read_escape(reader, text, &length)) {
            fail(reader, "an unknown \\ in a text");
            break;
        }
    }
    if (reader->why != NULL) {
        free(text);
        return NULL;
    }
    reader->at++;
    text[length] = '\0';
    return text;
}

static struct json* read_value(struct reader* reader);

static bool read_name(struct reader* reader, char** name) {
    skip_space(reader);
    if (*reader->at != '"')
        return fail(reader, "a name in quotes is missing") != NULL;
    *name = read_text(reader);
    skip_space(reader);
    if (*name != NULL && !take(reader, ':'))
        return fail(reader, "a : is missing") != NULL;
    return *name != NULL;
}

static struct json* read_members(struct reader* reader, enum json_kind kind, char end) {
    struct json* list = make(reader, kind);
    struct json** last = list != NULL ? &list->first : NULL;
    reader->at++;
    skip_space(reader);
    if (list != NULL && *reader->at == end) {
        reader->at++;
        return list;
    }
    while (list != NULL && reader->why == NULL) {
        char* name = NULL;
        if (kind == JSON_OBJECT && !read_name(reader, &name)) {
            free(name);
            break;
        }
        struct json* value = read_value(reader);
        if (value == NULL) {
            free(name);
            break;
        }
        value->name = name;
        *last = value;
        last = &value->next;
        skip_space(reader);
        if (*reader->at == end) {
            reader->at++;
            return list;
        }
        if (!take(reader, ','))
            fail(reader, "a , or the end of a list is missing");
    }
    json_free(list);
    return fail(reader, "no memory");
}

static struct json* read_word(struct reader* reader) {
    static const struct {
        const char* word;
        enum json_kind kind;
        double number;
    } words[] = {{"true", JSON_BOOL, 1}, {"false", JSON_BOOL, 0}, {"null", JSON_NULL, 0}};
    for (size_t i = 0; i < 3; i++)
        if (strncmp(reader->at, words[i].word, strlen(words[i].word)) == 0) {
            reader->at += strlen(words[i].word);
            struct json* value = make(reader, words[i].kind);
            if (value != NULL)
                value->number = words[i].number;
            return value;
        }
    char* end;
    double number = strtod(reader->at, &end);
    if (end == reader->at || (!isdigit((unsigned char)*reader->at) && *reader->at != '-'))
        return fail(reader, "no value");
    reader->at = end;
    struct json* value = make(reader, JSON_NUMBER);
    if (value != NULL)
        value->number = number;
    return value;
}

static struct json* read_value(struct reader* reader) {
    struct json* value;
    skip_space(reader);
    if (++reader->depth > DEEPEST)
        return fail(reader, "lists in lists, too deep");
    if (*reader->at == '{') {
        value = read_members(reader, JSON_OBJECT, '}');
    } else if (*reader->at == '[') {
        value = read_members(reader, JSON_LIST, ']');
    } else if (*reader->at == '"') {
        value = make(reader, JSON_TEXT);
        if (value != NULL && (value->text = read_text(reader)) == NULL) {
            json_free(value);
            value = NULL;
        }
    } else {
        value = read_word(reader);
    }
    reader->depth--;
    return value;
}

struct json* json_read(const char* text, int* line, const char** why) {
    struct reader reader = {.at = text, .line = 1};
    struct json* value = read_value(&reader);
    skip_space(&reader);
    if (value != NULL && *reader.at != '\0') {
        json_free(value);
        value = fail(&reader, "something stands after the end");
    }
    *line = reader.line;
    *why = reader.why != NULL ? reader.why : "no memory";
    return value;
}

void json_free(struct json* value) {
    while (value != NULL) {
        struct json* next = value->next;
        json_free(value->first);
        free(value->text);
        free(value->name);
        free(value);
        value = next;
    }
}
