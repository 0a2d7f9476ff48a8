/* The binding "intl", and what its files share. */
#include <stdlib.h>
#include <string.h>
#include <unicode/uenum.h>
#include <unicode/uloc.h>

#include "intl.h"

bool intl_text_get(JSContext* ctx, JSValueConst value, intl_text* text) {
    size_t length;
    text->units = JS_ToCStringLenUTF16(ctx, &length, value);
    if (text->units == NULL)
        return false;
    text->length = (int32_t)length;
    if (length <= INTL_MOST_UNITS)
        return true;
    intl_text_free(ctx, text);
    JS_ThrowRangeError(ctx, "Invalid string length");
    return false;
}

bool intl_short_text_get(JSContext* ctx, JSValueConst value, int32_t longest, intl_text* text) {
    if (!intl_text_get(ctx, value, text))
        return false;
    if (text->length <= longest)
        return true;
    intl_text_free(ctx, text);
    JS_ThrowRangeError(ctx, "Invalid string length");
    return false;
}

bool intl_number_get(JSContext* ctx, JSValueConst value, int32_t lowest, int32_t highest,
                     int32_t* number) {
    if (JS_ToInt32(ctx, number, value) < 0)
        return false;
    if (*number >= lowest && *number <= highest)
        return true;
    JS_ThrowRangeError(ctx, "a number is out of range");
    return false;
}

bool intl_locale_find(JSContext* ctx, JSValueConst value, char* name, int32_t room) {
    size_t size;
    const char* tag = JS_ToCStringLen(ctx, &size, value);
    if (tag == NULL)
        return false;
    UErrorCode error = U_ZERO_ERROR;
    int32_t parsed = 0;
    bool is_tag = size > 0 && size < (size_t)room / 2 && strlen(tag) == size;
    if (is_tag) {
        int32_t length = uloc_forLanguageTag(tag, name, room, &parsed, &error);
        is_tag = U_SUCCESS(error) && error != U_STRING_NOT_TERMINATED_WARNING && length < room &&
                 (size_t)parsed == size;
    }
    JS_FreeCString(ctx, tag);
    return is_tag;
}

bool intl_locale_get(JSContext* ctx, JSValueConst value, char name[INTL_LONGEST_LOCALE]) {
    bool found = intl_locale_find(ctx, value, name, INTL_LONGEST_LOCALE);
    if (!found && !JS_HasException(ctx))
        JS_ThrowRangeError(ctx, "Incorrect locale information provided");
    return found;
}

void intl_text_free(JSContext* ctx, intl_text* text) {
    JS_FreeCStringUTF16(ctx, text->units);
}

JSValue intl_error(JSContext* ctx, UErrorCode error) {
    if (error == U_MEMORY_ALLOCATION_ERROR)
        return JS_ThrowOutOfMemory(ctx);
    return JS_ThrowRangeError(ctx, "Internal error. Icu error: %s", u_errorName(error));
}

JSValue intl_box(JSContext* ctx, const ph_box_kind* kind, void* content_owned, UErrorCode error) {
    if (U_SUCCESS(error))
        return ph_box(ctx, kind, content_owned);
    if (content_owned != NULL)
        kind->release(content_owned);
    return intl_error(ctx, error);
}

JSValue intl_write(JSContext* ctx, intl_writer* write, void* subject) {
    UChar small[256];
    UErrorCode error = U_ZERO_ERROR;
    int32_t length = write(subject, small, PH_COUNT(small), &error);
    if (error != U_BUFFER_OVERFLOW_ERROR)
        return U_FAILURE(error) ? intl_error(ctx, error)
                                : JS_NewStringUTF16(ctx, small, (size_t)length);
    UChar* large = malloc(((size_t)length + 1) * sizeof(*large));
    if (large == NULL)
        return JS_ThrowOutOfMemory(ctx);
    error = U_ZERO_ERROR;
    length = write(subject, large, length + 1, &error);
    JSValue result =
        U_FAILURE(error) ? intl_error(ctx, error) : JS_NewStringUTF16(ctx, large, (size_t)length);
    free(large);
    return result;
}

JSValue intl_formatted(JSContext* ctx, const UFormattedValue* value) {
    UErrorCode error = U_ZERO_ERROR;
    int32_t length;
    const UChar* text = ufmtval_getString(value, &length, &error);
    UConstrainedFieldPosition* place = ucfpos_open(&error);
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    JS_SetPropertyUint32(ctx, list, count++, JS_NewStringUTF16(ctx, text, (size_t)length));
    while (ufmtval_nextPosition(value, place, &error) && U_SUCCESS(error)) {
        int32_t begin, end;
        ucfpos_getIndexes(place, &begin, &end, &error);
        const int32_t numbers[] = {ucfpos_getCategory(place, &error),
                                   ucfpos_getField(place, &error), begin, end};
        for (size_t i = 0; i < PH_COUNT(numbers); i++)
            JS_SetPropertyUint32(ctx, list, count++, JS_NewInt32(ctx, numbers[i]));
    }
    ucfpos_close(place);
    return list;
}

JSValue intl_names(JSContext* ctx, UEnumeration* names, UErrorCode error) {
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    JSValue list = JS_NewArray(ctx);
    const char* name;
    int32_t length;
    for (uint32_t i = 0; (name = uenum_next(names, &length, &error)) != NULL && U_SUCCESS(error);
         i++)
        JS_SetPropertyUint32(ctx, list, i, JS_NewStringLen(ctx, name, (size_t)length));
    uenum_close(names);
    return list;
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("canonicalLocale", 1, intl_canonical_locale),
        JS_CFUNC_DEF("likelyLocale", 2, intl_likely_locale),
        JS_CFUNC_DEF("availableLocales", 1, intl_available_locales),
        JS_CFUNC_DEF("defaultLocale", 0, intl_default_locale),
        JS_CFUNC_DEF("isRightToLeft", 1, intl_text_direction),
        JS_CFUNC_DEF("keywordValue", 2, intl_keyword_value),
        JS_CFUNC_DEF("values", 2, intl_values),
        JS_CFUNC_DEF("changeCase", 3, intl_change_case),
        JS_CFUNC_DEF("openNumber", 2, intl_open_number),
        JS_CFUNC_DEF("formatNumber", 2, intl_format_number),
        JS_CFUNC_DEF("openNumberRange", 2, intl_open_number_range),
        JS_CFUNC_DEF("formatNumberRange", 3, intl_format_number_range),
        JS_CFUNC_DEF("openPlurals", 2, intl_open_plurals),
        JS_CFUNC_DEF("selectPlural", 3, intl_select_plural),
        JS_CFUNC_DEF("pluralKeywords", 1, intl_plural_keywords),
        JS_CFUNC_DEF("openDate", 3, intl_open_date),
        JS_CFUNC_DEF("formatDate", 2, intl_format_date),
        JS_CFUNC_DEF("bestPattern", 2, intl_best_pattern),
        JS_CFUNC_DEF("stylePattern", 3, intl_style_pattern),
        JS_CFUNC_DEF("dateFacts", 1, intl_date_facts),
        JS_CFUNC_DEF("openDateRange", 3, intl_open_date_range),
        JS_CFUNC_DEF("formatDateRange", 3, intl_format_date_range),
        JS_CFUNC_DEF("canonicalZone", 1, intl_canonical_zone),
        JS_CFUNC_DEF("defaultZone", 0, intl_default_zone),
        JS_CFUNC_DEF("openCollator", 2, intl_open_collator),
        JS_CFUNC_DEF("compare", 3, intl_compare),
        JS_CFUNC_DEF("collatorFacts", 1, intl_collator_facts),
        JS_CFUNC_DEF("openList", 3, intl_open_list),
        JS_CFUNC_DEF("formatList", 2, intl_format_list),
        JS_CFUNC_DEF("openRelative", 2, intl_open_relative),
        JS_CFUNC_DEF("formatRelative", 4, intl_format_relative),
        JS_CFUNC_DEF("boundaries", 3, intl_boundaries),
        JS_CFUNC_DEF("displayName", 5, intl_display_name),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    return 0;
}
