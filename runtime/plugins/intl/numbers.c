/* Numbers, ranges of them, and the words that go with them. How a number is written is said by
 * ICU's skeletons ("currency/EUR precision-currency-standard"). */
#include <stdlib.h>
#include <string.h>
#include <unicode/unumberformatter.h>
#include <unicode/unumberrangeformatter.h>
#include <unicode/upluralrules.h>

#include "intl.h"

static void close_number(void* content) {
    unumf_close(content);
}

static void end_range(void* content) {
    unumrf_close(content);
}

static void close_plurals(void* content) {
    uplrules_close(content);
}

static const ph_box_kind number_kind = {"number format", close_number};
static const ph_box_kind range_kind = {"format of ranges of numbers", end_range};
static const ph_box_kind plurals_kind = {"plural rules", close_plurals};

/* The locale and the skeleton of the arguments; the latter is to be freed. */
static bool get_skeleton(JSContext* ctx, JSValueConst* argv, char* locale, intl_text* text) {
    return intl_locale_get(ctx, argv[0], locale) &&
           intl_short_text_get(ctx, argv[1], INTL_LONGEST_PATTERN, text);
}

/* openNumber(locale, skeleton); the locale is a tag. */
INTL_FUNCTION(intl_open_number) {
    (void)self;
    (void)argc;
    char locale[INTL_LONGEST_LOCALE];
    intl_text skeleton;
    if (!get_skeleton(ctx, argv, locale, &skeleton))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UNumberFormatter* format =
        unumf_openForSkeletonAndLocale(skeleton.units, skeleton.length, locale, &error);
    intl_text_free(ctx, &skeleton);
    return intl_box(ctx, &number_kind, format, error);
}

/* A number as JavaScript has it, or as text: "123.45", "-0", "1e400". */
static int format_into(JSContext* ctx, const UNumberFormatter* format, JSValueConst value,
                       UFormattedNumber* result, UErrorCode* error) {
    if (JS_IsNumber(value)) {
        double number;
        JS_ToFloat64(ctx, &number, value);
        unumf_formatDouble(format, number, result, error);
        return 0;
    }
    size_t size;
    const char* text = JS_ToCStringLen(ctx, &size, value);
    if (text == NULL)
        return -1;
    unumf_formatDecimal(format, text, (int32_t)size, result, error);
    JS_FreeCString(ctx, text);
    return 0;
}

/* `status`: below 0 if there is an exception already. */
static JSValue outcome(JSContext* ctx, int status, const UFormattedValue* value, UErrorCode error) {
    if (status < 0)
        return JS_EXCEPTION;
    return U_FAILURE(error) ? intl_error(ctx, error) : intl_formatted(ctx, value);
}

/* formatNumber(format, value): see intl_formatted. */
INTL_FUNCTION(intl_format_number) {
    (void)self;
    (void)argc;
    const UNumberFormatter* format = ph_box_content(ctx, argv[0], &number_kind);
    if (format == NULL)
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UFormattedNumber* result = unumf_openResult(&error);
    int status = format_into(ctx, format, argv[1], result, &error);
    const UFormattedValue* value = unumf_resultAsValue(result, &error);
    JSValue formatted = outcome(ctx, status, value, error);
    unumf_closeResult(result);
    return formatted;
}

INTL_FUNCTION(intl_open_number_range) {
    (void)self;
    (void)argc;
    char locale[INTL_LONGEST_LOCALE];
    intl_text skeleton;
    if (!get_skeleton(ctx, argv, locale, &skeleton))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UNumberRangeFormatter* format = unumrf_openForSkeletonWithCollapseAndIdentityFallback(
        skeleton.units, skeleton.length, UNUM_RANGE_COLLAPSE_AUTO,
        UNUM_IDENTITY_FALLBACK_APPROXIMATELY, locale, NULL, &error);
    intl_text_free(ctx, &skeleton);
    return intl_box(ctx, &range_kind, format, error);
}

static int format_range_into(JSContext* ctx, const UNumberRangeFormatter* format,
                             JSValueConst* ends, UFormattedNumberRange* result, UErrorCode* error) {
    size_t first_size, second_size;
    const char* first = JS_ToCStringLen(ctx, &first_size, ends[0]);
    const char* second = first != NULL ? JS_ToCStringLen(ctx, &second_size, ends[1]) : NULL;
    if (second != NULL)
        unumrf_formatDecimalRange(format, first, (int32_t)first_size, second, (int32_t)second_size,
                                  result, error);
    JS_FreeCString(ctx, first);
    JS_FreeCString(ctx, second);
    return second != NULL ? 0 : -1;
}

INTL_FUNCTION(intl_format_number_range) {
    (void)self;
    (void)argc;
    const UNumberRangeFormatter* format = ph_box_content(ctx, argv[0], &range_kind);
    if (format == NULL)
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UFormattedNumberRange* result = unumrf_openResult(&error);
    int status = format_range_into(ctx, format, argv + 1, result, &error);
    const UFormattedValue* value = unumrf_resultAsValue(result, &error);
    JSValue formatted = outcome(ctx, status, value, error);
    unumrf_closeResult(result);
    return formatted;
}

/* openPlurals(locale, isOrdinal) */
INTL_FUNCTION(intl_open_plurals) {
    (void)self;
    (void)argc;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UPluralRules* rules = uplrules_openForType(
        locale, ph_flag(ctx, argv[1]) ? UPLURAL_TYPE_ORDINAL : UPLURAL_TYPE_CARDINAL, &error);
    return intl_box(ctx, &plurals_kind, rules, error);
}

static JSValue keyword(JSContext* ctx, const UChar* text, int32_t length, UErrorCode error) {
    return U_FAILURE(error) ? intl_error(ctx, error) : JS_NewStringUTF16(ctx, text, (size_t)length);
}

/* selectPlural(rules, format, value), or selectPlural(rules, format of ranges, begin, end): which
 * word goes with the number as it is written. */
INTL_FUNCTION(intl_select_plural) {
    (void)self;
    enum { LONGEST_KEYWORD = 32 };
    UChar text[LONGEST_KEYWORD];
    int32_t length = 0;
    UErrorCode error = U_ZERO_ERROR;
    const UPluralRules* rules = ph_box_content(ctx, argv[0], &plurals_kind);
    if (rules == NULL)
        return JS_EXCEPTION;
    if (argc > 3) {
        const UNumberRangeFormatter* format = ph_box_content(ctx, argv[1], &range_kind);
        if (format == NULL)
            return JS_EXCEPTION;
        UFormattedNumberRange* range = unumrf_openResult(&error);
        int formatted = format_range_into(ctx, format, argv + 2, range, &error);
        length = uplrules_selectForRange(rules, range, text, LONGEST_KEYWORD, &error);
        unumrf_closeResult(range);
        return formatted == 0 ? keyword(ctx, text, length, error) : JS_EXCEPTION;
    }
    const UNumberFormatter* format = ph_box_content(ctx, argv[1], &number_kind);
    if (format == NULL)
        return JS_EXCEPTION;
    UFormattedNumber* number = unumf_openResult(&error);
    int formatted = format_into(ctx, format, argv[2], number, &error);
    length = uplrules_selectFormatted(rules, number, text, LONGEST_KEYWORD, &error);
    unumf_closeResult(number);
    return formatted == 0 ? keyword(ctx, text, length, error) : JS_EXCEPTION;
}

INTL_FUNCTION(intl_plural_keywords) {
    (void)self;
    (void)argc;
    const UPluralRules* rules = ph_box_content(ctx, argv[0], &plurals_kind);
    if (rules == NULL)
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UEnumeration* names = uplrules_getKeywords(rules, &error);
    return intl_names(ctx, names, error);
}
