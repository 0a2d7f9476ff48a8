#ifndef PH_TOOLS_SIM_JSON_H
#define PH_TOOLS_SIM_JSON_H

/* A small reader of JSON: a tree of values that knows the line of each, for messages. */

#include <stdbool.h>
#include <stddef.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json {
    enum json_kind kind;
    int line;
    double number; /* also 0 or 1 of a bool */
    char* text;
    char* name; /* in an object */
    struct json* first;
    struct json* next;
};

/* NULL: `line` and `why` say what is wrong. */
struct json* json_read(const char* text, int* line, const char** why);
void json_free(struct json* value);

#endif
