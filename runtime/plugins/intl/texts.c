/* Order of texts, lists, relative times, boundaries, names of things. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/ucol.h>
#include <unicode/ucurr.h>
#include <unicode/udatpg.h>
#include <unicode/uldnames.h>
#include <unicode/ulistformatter.h>
#include <unicode/ureldatefmt.h>

#include "intl.h"

static void close_collator(void* content) {
    ucol_close(content);
}

static void close_list(void* content) {
    ulistfmt_close(content);
}

static void close_relative(void* content) {
    ureldatefmt_close(content);
}

static const ph_box_kind collator_kind = {"collator", close_collator};
static const ph_box_kind list_kind = {"list format", close_list};
static const ph_box_kind relative_kind = {"format of relative times", close_relative};

/* openCollator(locale, [attribute, value, ...]) */
INTL_FUNCTION(intl_open_collator) {
    (void)self;
    (void)argc;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UCollator* collator = ucol_open(locale, &error);
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &error);
    JSValue box = ph_box(ctx, &collator_kind, collator);
    int64_t length = 0;
    if (JS_IsException(box) || JS_GetLength(ctx, argv[1], &length) < 0) {
        JS_FreeValue(ctx, box);
        return JS_EXCEPTION;
    }
    for (uint32_t i = 0; i + 1 < (uint32_t)length; i += 2) {
        int32_t pair[2] = {0, 0};
        for (uint32_t j = 0; j < 2; j++) {
            JSValue number = JS_GetPropertyUint32(ctx, argv[1], i + j);
            int status = JS_ToInt32(ctx, &pair[j], number);
            JS_FreeValue(ctx, number);
            if (status < 0) {
                JS_FreeValue(ctx, box);
                return JS_EXCEPTION;
            }
        }
        if (pair[0] >= 0 && pair[0] <= UCOL_NUMERIC_COLLATION)
            ucol_setAttribute(collator, (UColAttribute)pair[0], (UColAttributeValue)pair[1],
                              &error);
    }
    return box;
}

/* compare(collator, a, b): -1, 0 or 1 */
INTL_FUNCTION(intl_compare) {
    (void)self;
    (void)argc;
    intl_text a, b;
    const UCollator* collator = ph_box_content(ctx, argv[0], &collator_kind);
    if (collator == NULL || !intl_text_get(ctx, argv[1], &a))
        return JS_EXCEPTION;
    if (!intl_text_get(ctx, argv[2], &b)) {
        intl_text_free(ctx, &a);
        return JS_EXCEPTION;
    }
    int32_t order = ucol_strcoll(collator, a.units, a.length, b.units, b.length);
    intl_text_free(ctx, &a);
    intl_text_free(ctx, &b);
    return JS_NewInt32(ctx, order);
}

/* collatorFacts(collator): [numeric, caseFirst, strength, caseLevel, alternate] as ICU numbers them
 */
INTL_FUNCTION(intl_collator_facts) {
    (void)self;
    (void)argc;
    static const UColAttribute asked[] = {UCOL_NUMERIC_COLLATION, UCOL_CASE_FIRST, UCOL_STRENGTH,
                                          UCOL_CASE_LEVEL, UCOL_ALTERNATE_HANDLING};
    const UCollator* collator = ph_box_content(ctx, argv[0], &collator_kind);
    if (collator == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    for (uint32_t i = 0; i < PH_COUNT(asked); i++) {
        UErrorCode error = U_ZERO_ERROR;
        JS_SetPropertyUint32(ctx, list, i,
                             JS_NewInt32(ctx, ucol_getAttribute(collator, asked[i], &error)));
    }
    return list;
}

/* openList(locale, type, width), as ICU numbers them */
INTL_FUNCTION(intl_open_list) {
    (void)self;
    (void)argc;
    int32_t type, width;
    if (!intl_number_get(ctx, argv[1], ULISTFMT_TYPE_AND, ULISTFMT_TYPE_UNITS, &type) ||
        !intl_number_get(ctx, argv[2], ULISTFMT_WIDTH_WIDE, ULISTFMT_WIDTH_NARROW, &width))
        return JS_EXCEPTION;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UListFormatter* format =
        ulistfmt_openForType(locale, (UListFormatterType)type, (UListFormatterWidth)width, &error);
    return intl_box(ctx, &list_kind, format, error);
}

/* The texts of an array. Freed by texts_free, whatever came of it. */
typedef struct {
    uint32_t count;
    const UChar** units;
    int32_t* lengths;
} texts;

static bool texts_get(JSContext* ctx, JSValueConst list, texts* out) {
    int64_t length;
    *out = (texts){0};
    if (JS_GetLength(ctx, list, &length) < 0)
        return false;
    if (length > (1 << 20)) {
        JS_ThrowRangeError(ctx, "Invalid array length");
        return false;
    }
    out->units = calloc((size_t)length + 1, sizeof(*out->units));
    out->lengths = calloc((size_t)length + 1, sizeof(*out->lengths));
    if (out->units == NULL || out->lengths == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return false;
    }
    for (; out->count < (uint32_t)length; out->count++) {
        intl_text text;
        JSValue value = JS_GetPropertyUint32(ctx, list, out->count);
        bool got = !JS_IsException(value) && intl_text_get(ctx, value, &text);
        JS_FreeValue(ctx, value);
        if (!got)
            return false;
        out->units[out->count] = text.units;
        out->lengths[out->count] = text.length;
    }
    return true;
}

static void texts_free(JSContext* ctx, texts* made) {
    for (uint32_t i = 0; i < made->count; i++)
        JS_FreeCStringUTF16(ctx, made->units[i]);
    free(made->units);
    free(made->lengths);
}

INTL_FUNCTION(intl_format_list) {
    (void)self;
    (void)argc;
    texts made;
    const UListFormatter* format = ph_box_content(ctx, argv[0], &list_kind);
    if (format == NULL)
        return JS_EXCEPTION;
    JSValue formatted = JS_EXCEPTION;
    if (texts_get(ctx, argv[1], &made)) {
        UErrorCode error = U_ZERO_ERROR;
        UFormattedList* result = ulistfmt_openResult(&error);
        ulistfmt_formatStringsToResult(format, made.units, made.lengths, (int32_t)made.count,
                                       result, &error);
        formatted = U_FAILURE(error) ? intl_error(ctx, error)
                                     : intl_formatted(ctx, ulistfmt_resultAsValue(result, &error));
        ulistfmt_closeResult(result);
    }
    texts_free(ctx, &made);
    return formatted;
}

/* openRelative(locale, width) */
INTL_FUNCTION(intl_open_relative) {
    (void)self;
    (void)argc;
    int32_t width;
    if (!intl_number_get(ctx, argv[1], UDAT_STYLE_LONG, UDAT_STYLE_NARROW, &width))
        return JS_EXCEPTION;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    URelativeDateTimeFormatter* format =
        ureldatefmt_open(locale, NULL, (UDateRelativeDateTimeFormatterStyle)width,
                         UDISPCTX_CAPITALIZATION_NONE, &error);
    return intl_box(ctx, &relative_kind, format, error);
}

/* formatRelative(format, value, unit, isAlwaysNumeric) */
INTL_FUNCTION(intl_format_relative) {
    (void)self;
    (void)argc;
    double value;
    int32_t unit;
    const URelativeDateTimeFormatter* format = ph_box_content(ctx, argv[0], &relative_kind);
    if (format == NULL || JS_ToFloat64(ctx, &value, argv[1]) < 0 ||
        !intl_number_get(ctx, argv[2], UDAT_REL_UNIT_YEAR, UDAT_REL_UNIT_SECOND, &unit))
        return JS_EXCEPTION;
    if (!isfinite(value))
        return JS_ThrowRangeError(ctx, "Invalid time value");
    UErrorCode error = U_ZERO_ERROR;
    UFormattedRelativeDateTime* result = ureldatefmt_openResult(&error);
    (ph_flag(ctx, argv[3]) ? ureldatefmt_formatNumericToResult : ureldatefmt_formatToResult)(
        format, value, (URelativeDateTimeUnit)unit, result, &error);
    JSValue formatted = U_FAILURE(error)
                            ? intl_error(ctx, error)
                            : intl_formatted(ctx, ureldatefmt_resultAsValue(result, &error));
    ureldatefmt_closeResult(result);
    return formatted;
}

/* boundaries(locale, kind, text): [end, status, end, status, ...] of the parts; kind: 0 characters,
 * 1 words, 3 sentences, as ICU numbers them. */
INTL_FUNCTION(intl_boundaries) {
    (void)self;
    (void)argc;
    int32_t kind;
    intl_text text;
    if (!intl_number_get(ctx, argv[1], UBRK_CHARACTER, UBRK_SENTENCE, &kind))
        return JS_EXCEPTION;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    if (!intl_text_get(ctx, argv[2], &text)) {
        return JS_EXCEPTION;
    }
    UErrorCode error = U_ZERO_ERROR;
    UBreakIterator* parts =
        ubrk_open((UBreakIteratorType)kind, locale, text.units, text.length, &error);
    JSValue list = U_FAILURE(error) ? intl_error(ctx, error) : JS_NewArray(ctx);
    if (U_SUCCESS(error)) {
        uint32_t count = 0;
        for (int32_t end = ubrk_next(parts); end != UBRK_DONE; end = ubrk_next(parts)) {
            JS_SetPropertyUint32(ctx, list, count++, JS_NewInt32(ctx, end));
            JS_SetPropertyUint32(ctx, list, count++, JS_NewInt32(ctx, ubrk_getRuleStatus(parts)));
        }
        ubrk_close(parts);
    }
    intl_text_free(ctx, &text);
    return list;
}

typedef struct {
    ULocaleDisplayNames* names;
    const char* locale;
    const char* type;
    const char* code;
    int32_t width; /* 0 long, 1 short, 2 narrow */
} naming;

/* Fields of dates are numbered as udatpg does; `code` is the number. */
static int32_t write_field_name(const naming* what, UChar* out, int32_t capacity,
                                UErrorCode* error) {
    static const UDateTimePGDisplayWidth widths[] = {UDATPG_WIDE, UDATPG_ABBREVIATED,
                                                     UDATPG_NARROW};
    UDateTimePatternGenerator* generator = udatpg_open(what->locale, error);
    if (U_FAILURE(*error))
        return 0;
    int field = atoi(what->code);
    int32_t length = 0;
    if (field >= 0 && field < UDATPG_FIELD_COUNT)
        length = udatpg_getFieldDisplayName(generator, (UDateTimePatternField)field,
                                            widths[what->width], out, capacity, error);
    udatpg_close(generator);
    return length;
}

static int32_t write_currency_name(const naming* what, UChar* out, int32_t capacity,
                                   UErrorCode* error) {
    static const UCurrNameStyle styles[] = {UCURR_LONG_NAME, UCURR_SYMBOL_NAME,
                                            UCURR_NARROW_SYMBOL_NAME};
    UChar code[4];
    int32_t length;
    for (int i = 0; i < 4; i++)
        code[i] = (unsigned char)what->code[i];
    const UChar* name =
        ucurr_getName(code, what->locale, styles[what->width], NULL, &length, error);
    if (*error == U_USING_DEFAULT_WARNING) /* there is none: the code itself */
        return 0;
    if (U_SUCCESS(*error) && length <= capacity)
        memcpy(out, name, (size_t)length * sizeof(*out));
    else if (U_SUCCESS(*error))
        *error = U_BUFFER_OVERFLOW_ERROR;
    return length;
}

static int32_t write_name(void* subject, UChar* out, int32_t capacity, UErrorCode* error) {
    const naming* what = subject;
    if (strcmp(what->type, "currency") == 0)
        return write_currency_name(what, out, capacity, error);
    if (strcmp(what->type, "dateTimeField") == 0)
        return write_field_name(what, out, capacity, error);
    if (strcmp(what->type, "language") == 0)
        return uldn_localeDisplayName(what->names, what->code, out, capacity, error);
    if (strcmp(what->type, "region") == 0)
        return uldn_regionDisplayName(what->names, what->code, out, capacity, error);
    if (strcmp(what->type, "script") == 0)
        return uldn_scriptDisplayName(what->names, what->code, out, capacity, error);
    return uldn_keyValueDisplayName(what->names, "calendar", what->code, out, capacity, error);
}

/* displayName(locale, type, code, width, isDialect): null if there is none. */
INTL_FUNCTION(intl_display_name) {
    (void)self;
    (void)argc;
    naming what = {0};
    if (JS_ToInt32(ctx, &what.width, argv[3]) < 0)
        return JS_EXCEPTION;
    what.width = what.width < 0 || what.width > 2 ? 0 : what.width;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    what.locale = locale;
    what.type = JS_ToCString(ctx, argv[1]);
    what.code = JS_ToCString(ctx, argv[2]);
    JSValue result = JS_EXCEPTION;
    if (what.type != NULL && what.code != NULL && strlen(what.code) >= INTL_LONGEST_LOCALE) {
        result = JS_NULL;
    } else if (what.type != NULL && what.code != NULL) {
        UDisplayContext contexts[] = {
            ph_flag(ctx, argv[4]) ? UDISPCTX_DIALECT_NAMES : UDISPCTX_STANDARD_NAMES,
            what.width == 0 ? UDISPCTX_LENGTH_FULL : UDISPCTX_LENGTH_SHORT, UDISPCTX_NO_SUBSTITUTE};
        UErrorCode error = U_ZERO_ERROR;
        bool is_currency = strcmp(what.type, "currency") == 0;
        what.names = uldn_openForContext(what.locale, contexts, PH_COUNT(contexts), &error);
        if (U_FAILURE(error))
            result = intl_error(ctx, error);
        else if (is_currency && strlen(what.code) != 3)
            result = JS_NULL;
        else
            result = intl_write(ctx, write_name, &what);
        uldn_close(what.names);
    }
    JS_FreeCString(ctx, what.type);
    JS_FreeCString(ctx, what.code);
    return result;
}
