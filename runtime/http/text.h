#ifndef PH_RUNTIME_HTTP_TEXT_H
#define PH_RUNTIME_HTTP_TEXT_H

#include "engine/engine.h"

/* A string of Latin-1, which field values are. */
JSValue ph_http_text(JSContext* ctx, const char* text, size_t length);
/* isToken, isValue, headers */
void ph_http_text_export(JSContext* ctx, JSValueConst binding);
/* lines, field, hasSame (lines.c) */
void ph_http_lines_export(JSContext* ctx, JSValueConst binding);
/* head, respond (answer.c) */
void ph_http_answer_export(JSContext* ctx, JSValueConst binding);

#endif
