/* Names of locales, what ICU has for them, and the values that options may have. */
#include <string.h>
#include <unicode/ucal.h>
#include <unicode/ucol.h>
#include <unicode/ucurr.h>
#include <unicode/uenum.h>
#include <unicode/uloc.h>
#include <unicode/unumsys.h>
#include <unicode/ustring.h>

#include "intl.h"

enum { LONGEST_NAME = 1024 };

/* The tag as ICU's own name for a locale; false: it is no tag. */
static bool to_icu(JSContext* ctx, JSValueConst value, char name[LONGEST_NAME]) {
    return intl_locale_find(ctx, value, name, LONGEST_NAME);
}

static JSValue to_tag(JSContext* ctx, const char* name) {
    char tag[LONGEST_NAME];
    UErrorCode error = U_ZERO_ERROR;
    int32_t length = uloc_toLanguageTag(name, tag, sizeof(tag), true, &error);
    if (U_FAILURE(error) || length >= (int32_t)sizeof(tag))
        return JS_NULL;
    return JS_NewStringLen(ctx, tag, (size_t)length);
}

/* canonicalLocale(tag): as BCP 47 writes it, with newer names in place of old ones; null if it is
 * none. */
INTL_FUNCTION(intl_canonical_locale) {
    (void)self;
    (void)argc;
    char name[LONGEST_NAME], canonical[LONGEST_NAME];
    if (!to_icu(ctx, argv[0], name))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_NULL;
    UErrorCode error = U_ZERO_ERROR;
    uloc_canonicalize(name, canonical, sizeof(canonical), &error);
    return U_FAILURE(error) || error == U_STRING_NOT_TERMINATED_WARNING ? JS_NULL
                                                                        : to_tag(ctx, canonical);
}

/* likelyLocale(tag, more): with the likely subtags added, or taken away. */
INTL_FUNCTION(intl_likely_locale) {
    (void)self;
    (void)argc;
    char name[LONGEST_NAME], likely[LONGEST_NAME];
    if (!to_icu(ctx, argv[0], name))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_NULL;
    UErrorCode error = U_ZERO_ERROR;
    int32_t length = ph_flag(ctx, argv[1])
                         ? uloc_addLikelySubtags(name, likely, sizeof(likely), &error)
                         : uloc_minimizeSubtags(name, likely, sizeof(likely), &error);
    if (U_FAILURE(error) || length >= (int32_t)sizeof(likely))
        return JS_NULL;
    return to_tag(ctx, likely);
}

/* availableLocales(isCollation): the tags that ICU has data for. */
INTL_FUNCTION(intl_available_locales) {
    (void)self;
    (void)argc;
    bool collation = ph_flag(ctx, argv[0]);
    int32_t count = collation ? ucol_countAvailable() : uloc_countAvailable();
    JSValue list = JS_NewArray(ctx);
    for (int32_t i = 0; i < count; i++)
        JS_SetPropertyUint32(ctx, list, (uint32_t)i,
                             to_tag(ctx, collation ? ucol_getAvailable(i) : uloc_getAvailable(i)));
    return list;
}

/* What the environment says (LC_ALL, LC_MESSAGES, LANG). */
INTL_FUNCTION(intl_default_locale) {
    (void)self;
    (void)argc;
    (void)argv;
    return to_tag(ctx, uloc_getDefault());
}

INTL_FUNCTION(intl_text_direction) {
    (void)self;
    (void)argc;
    char name[LONGEST_NAME];
    if (!to_icu(ctx, argv[0], name))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_FALSE;
    return JS_NewBool(ctx, uloc_isRightToLeft(name));
}

/* keywordValue(tag, "calendar" | "numbers"): what the locale uses by itself. */
INTL_FUNCTION(intl_keyword_value) {
    (void)self;
    (void)argc;
    char name[LONGEST_NAME];
    if (!to_icu(ctx, argv[0], name))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_NULL;
    const char* key = JS_ToCString(ctx, argv[1]);
    if (key == NULL)
        return JS_EXCEPTION;
    bool calendar = strcmp(key, "calendar") == 0;
    JS_FreeCString(ctx, key);
    UErrorCode error = U_ZERO_ERROR;
    if (calendar) {
        UEnumeration* values = ucal_getKeywordValuesForLocale("calendar", name, true, &error);
        const char* first = U_SUCCESS(error) ? uenum_next(values, NULL, &error) : NULL;
        JSValue result =
            first != NULL ? JS_NewString(ctx, uloc_toUnicodeLocaleType("ca", first)) : JS_NULL;
        uenum_close(values);
        return result;
    }
    UNumberingSystem* system = unumsys_open(name, &error);
    if (U_FAILURE(error))
        return JS_NULL;
    JSValue result = JS_NewString(ctx, unumsys_getName(system));
    unumsys_close(system);
    return result;
}

/* values(kind, tag): the values of a key, as BCP 47 writes them; of a locale where `tag` names one.
 */
INTL_FUNCTION(intl_values) {
    (void)self;
    (void)argc;
    char name[LONGEST_NAME] = "";
    if (!JS_IsUndefined(argv[1]) && !to_icu(ctx, argv[1], name))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_NULL;
    const char* kind = JS_ToCString(ctx, argv[0]);
    if (kind == NULL)
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UEnumeration* found = NULL;
    const char* key = NULL;
    if (strcmp(kind, "calendar") == 0) {
        found = ucal_getKeywordValuesForLocale("calendar", name, name[0] != '\0', &error);
        key = "ca";
    } else if (strcmp(kind, "collation") == 0) {
        found = name[0] != '\0' ? ucol_getKeywordValuesForLocale("collation", name, true, &error)
                                : ucol_getKeywordValues("collation", &error);
        key = "co";
    } else if (strcmp(kind, "currency") == 0) {
        found = ucurr_openISOCurrencies(UCURR_ALL, &error);
    } else if (strcmp(kind, "numberingSystem") == 0) {
        found = unumsys_openAvailableNames(&error);
    } else if (strcmp(kind, "timeZone") == 0) {
        const char* region = strchr(name, '_');
        found = region != NULL ? ucal_openTimeZoneIDEnumeration(UCAL_ZONE_TYPE_CANONICAL,
                                                                region + 1, NULL, &error)
                               : ucal_openTimeZones(&error);
    }
    JS_FreeCString(ctx, kind);
    if (found == NULL)
        return U_FAILURE(error) ? intl_error(ctx, error) : JS_NULL;
    JSValue list = JS_NewArray(ctx);
    const char* value;
    int32_t length;
    for (uint32_t i = 0; (value = uenum_next(found, &length, &error)) != NULL; i++) {
        const char* type = key != NULL ? uloc_toUnicodeLocaleType(key, value) : NULL;
        JS_SetPropertyUint32(ctx, list, i, JS_NewString(ctx, type != NULL ? type : value));
    }
    uenum_close(found);
    return list;
}

typedef struct {
    intl_text text;
    const char* locale;
    bool upper;
} change;

static int32_t write_changed(void* subject, UChar* out, int32_t capacity, UErrorCode* error) {
    const change* what = subject;
    return (what->upper ? u_strToUpper : u_strToLower)(out, capacity, what->text.units,
                                                       what->text.length, what->locale, error);
}

/* changeCase(text, tag, isUpper) */
INTL_FUNCTION(intl_change_case) {
    (void)self;
    (void)argc;
    char name[LONGEST_NAME];
    change what = {.locale = name, .upper = ph_flag(ctx, argv[2])};
    if (!to_icu(ctx, argv[1], name))
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_NULL;
    if (!intl_text_get(ctx, argv[0], &what.text))
        return JS_EXCEPTION;
    JSValue result = intl_write(ctx, write_changed, &what);
    intl_text_free(ctx, &what.text);
    return result;
}
