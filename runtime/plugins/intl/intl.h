/* What the files of this plug-in share: ICU's services behind Intl. Which options there are and
 * what they default to is decided in JavaScript (runtime/js/internal/intl); here a service is
 * opened with what was decided, and used. */
#ifndef PH_PLUGIN_INTL_H
#define PH_PLUGIN_INTL_H

#include <unicode/uformattedvalue.h>
#include <unicode/utypes.h>

#include "bindings/box.h"
#include "engine/plugins.h"

#define INTL_FUNCTION(name) \
    JSValue name(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv)

enum { INTL_MOST_UNITS = 1 << 28 }; /* of a text; ICU counts with int32_t */

/* A text of JavaScript as ICU wants it. To be freed by intl_text_free. */
typedef struct {
    const uint16_t* units;
    int32_t length;
} intl_text;

/* False and an exception: it is no text, or too long. */
bool intl_text_get(JSContext* ctx, JSValueConst value, intl_text* text);
void intl_text_free(JSContext* ctx, intl_text* text);

enum { INTL_LONGEST_LOCALE = 160, INTL_LONGEST_PATTERN = 1000 };
/* ICU's name of the locale whose tag the value is, as far as ICU can be trusted with it, with room
 * for so many bytes. False: it is no tag, or too long, or there is an exception. */
bool intl_locale_find(JSContext* ctx, JSValueConst value, char* name, int32_t room);
/* The same; false and always an exception. */
bool intl_locale_get(JSContext* ctx, JSValueConst value, char name[INTL_LONGEST_LOCALE]);
/* A whole number between the bounds; false and an exception. */
bool intl_number_get(JSContext* ctx, JSValueConst value, int32_t lowest, int32_t highest,
                     int32_t* number);
/* A text of at most so many units. */
bool intl_short_text_get(JSContext* ctx, JSValueConst value, int32_t longest, intl_text* text);

/* An exception that says what ICU said. */
JSValue intl_error(JSContext* ctx, UErrorCode error);
/* What ICU opened, in a box; or the exception, and it is closed. */
JSValue intl_box(JSContext* ctx, const ph_box_kind* kind, void* content_owned, UErrorCode error);

/* A function that writes a text into `out` and says how long it is, as ICU's do. */
typedef int32_t intl_writer(void* subject, UChar* out, int32_t capacity, UErrorCode* error);
JSValue intl_write(JSContext* ctx, intl_writer* write, void* subject);

/* [text, category, field, begin, end, category, ...] of what was formatted. */
JSValue intl_formatted(JSContext* ctx, const UFormattedValue* value);

/* Names of ICU as an array; the enumeration is closed. */
JSValue intl_names(JSContext* ctx, UEnumeration* names, UErrorCode error);

INTL_FUNCTION(intl_canonical_locale);
INTL_FUNCTION(intl_likely_locale);
INTL_FUNCTION(intl_available_locales);
INTL_FUNCTION(intl_default_locale);
INTL_FUNCTION(intl_text_direction);
INTL_FUNCTION(intl_keyword_value);
INTL_FUNCTION(intl_values);
INTL_FUNCTION(intl_change_case);

INTL_FUNCTION(intl_open_number);
INTL_FUNCTION(intl_format_number);
INTL_FUNCTION(intl_open_number_range);
INTL_FUNCTION(intl_format_number_range);
INTL_FUNCTION(intl_open_plurals);
INTL_FUNCTION(intl_select_plural);
INTL_FUNCTION(intl_plural_keywords);

INTL_FUNCTION(intl_open_date);
INTL_FUNCTION(intl_format_date);
INTL_FUNCTION(intl_best_pattern);
INTL_FUNCTION(intl_style_pattern);
INTL_FUNCTION(intl_date_facts);
INTL_FUNCTION(intl_open_date_range);
INTL_FUNCTION(intl_format_date_range);
INTL_FUNCTION(intl_canonical_zone);
INTL_FUNCTION(intl_default_zone);

INTL_FUNCTION(intl_open_collator);
INTL_FUNCTION(intl_compare);
INTL_FUNCTION(intl_collator_facts);
INTL_FUNCTION(intl_open_list);
INTL_FUNCTION(intl_format_list);
INTL_FUNCTION(intl_open_relative);
INTL_FUNCTION(intl_format_relative);
INTL_FUNCTION(intl_boundaries);
INTL_FUNCTION(intl_display_name);

#endif
