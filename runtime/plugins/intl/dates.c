/* Dates, times and ranges of them, by ICU's patterns; zones. */
#include <stdlib.h>
#include <string.h>
#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/udateintervalformat.h>
#include <unicode/udatpg.h>
#include <unicode/ufieldpositer.h>

#include "intl.h"

enum { LONGEST_ZONE = 128 };
/* JavaScript knows no calendar before the Gregorian one: it has always been in force. */
static const UDate before_all_time = -8.64e15;

static void close_date(void* content) {
    udat_close(content);
}

static void end_range(void* content) {
    udtitvfmt_close(content);
}

static const ph_box_kind date_kind = {"date format", close_date};
static const ph_box_kind range_kind = {"format of ranges of dates", end_range};

/* Locale, zone and pattern of a call. */
typedef struct {
    char locale[INTL_LONGEST_LOCALE];
    intl_text zone;
    intl_text pattern;
} request;

static bool request_get(JSContext* ctx, JSValueConst* argv, request* out) {
    if (!intl_locale_get(ctx, argv[0], out->locale) ||
        !intl_short_text_get(ctx, argv[1], LONGEST_ZONE, &out->zone))
        return false;
    if (intl_short_text_get(ctx, argv[2], INTL_LONGEST_PATTERN, &out->pattern))
        return true;
    intl_text_free(ctx, &out->zone);
    return false;
}

static void request_free(JSContext* ctx, request* made) {
    intl_text_free(ctx, &made->zone);
    intl_text_free(ctx, &made->pattern);
}

/* openDate(locale, zone, pattern) */
INTL_FUNCTION(intl_open_date) {
    (void)self;
    (void)argc;
    request made;
    if (!request_get(ctx, argv, &made))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UDateFormat* format =
        udat_open(UDAT_PATTERN, UDAT_PATTERN, made.locale, made.zone.units, made.zone.length,
                  made.pattern.units, made.pattern.length, &error);
    request_free(ctx, &made);
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    UErrorCode ignored = U_ZERO_ERROR; /* of calendars that have no such date */
    UCalendar* calendar = (UCalendar*)udat_getCalendar(format);
    ucal_setGregorianChange(calendar, before_all_time, &ignored);
    return ph_box(ctx, &date_kind, format);
}

typedef struct {
    const UDateFormat* format;
    UDate date;
    UFieldPositionIterator* fields;
} dated;

static int32_t write_date(void* subject, UChar* out, int32_t capacity, UErrorCode* error) {
    const dated* what = subject;
    return udat_formatForFields(what->format, what->date, out, capacity, what->fields, error);
}

/* ms since 1970, as dates of JavaScript go. */
static bool date_get(JSContext* ctx, JSValueConst value, UDate* date) {
    if (JS_ToFloat64(ctx, date, value) < 0)
        return false;
    if (*date >= before_all_time && *date <= -before_all_time)
        return true;
    JS_ThrowRangeError(ctx, "Invalid time value");
    return false;
}

/* formatDate(format, ms): [text, category, field, begin, end, ...] */
INTL_FUNCTION(intl_format_date) {
    (void)self;
    (void)argc;
    dated what = {.format = ph_box_content(ctx, argv[0], &date_kind)};
    if (what.format == NULL || !date_get(ctx, argv[1], &what.date))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    what.fields = ufieldpositer_open(&error);
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    JSValue text = intl_write(ctx, write_date, &what);
    if (JS_IsException(text)) {
        ufieldpositer_close(what.fields);
        return text;
    }
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    JS_SetPropertyUint32(ctx, list, count++, text);
    int32_t begin, end, field;
    while ((field = ufieldpositer_next(what.fields, &begin, &end)) >= 0) {
        const int32_t numbers[] = {UFIELD_CATEGORY_DATE, field, begin, end};
        for (size_t i = 0; i < PH_COUNT(numbers); i++)
            JS_SetPropertyUint32(ctx, list, count++, JS_NewInt32(ctx, numbers[i]));
    }
    ufieldpositer_close(what.fields);
    return list;
}

typedef struct {
    UDateTimePatternGenerator* generator;
    intl_text skeleton;
} wanted_pattern;

static int32_t write_best_pattern(void* subject, UChar* out, int32_t capacity, UErrorCode* error) {
    wanted_pattern* what = subject;
    return udatpg_getBestPatternWithOptions(what->generator, what->skeleton.units,
                                            what->skeleton.length, UDATPG_MATCH_HOUR_FIELD_LENGTH,
                                            out, capacity, error);
}

/* bestPattern(locale, skeleton) */
INTL_FUNCTION(intl_best_pattern) {
    (void)self;
    (void)argc;
    wanted_pattern what;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale) ||
        !intl_short_text_get(ctx, argv[1], INTL_LONGEST_PATTERN, &what.skeleton))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    what.generator = udatpg_open(locale, &error);
    JSValue result =
        U_FAILURE(error) ? intl_error(ctx, error) : intl_write(ctx, write_best_pattern, &what);
    if (U_SUCCESS(error))
        udatpg_close(what.generator);
    intl_text_free(ctx, &what.skeleton);
    return result;
}

static int32_t write_pattern(void* subject, UChar* out, int32_t capacity, UErrorCode* error) {
    return udat_toPattern(subject, false, out, capacity, error);
}

/* stylePattern(locale, dateStyle, timeStyle): -1 none, 0 full ... 3 short */
INTL_FUNCTION(intl_style_pattern) {
    (void)self;
    (void)argc;
    int32_t date, time;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_number_get(ctx, argv[1], UDAT_NONE, UDAT_SHORT, &date) ||
        !intl_number_get(ctx, argv[2], UDAT_NONE, UDAT_SHORT, &time) ||
        !intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UDateFormat* format =
        udat_open((UDateFormatStyle)time, (UDateFormatStyle)date, locale, NULL, 0, NULL, 0, &error);
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    JSValue pattern = intl_write(ctx, write_pattern, format);
    udat_close(format);
    return pattern;
}

/* dateFacts(locale): [first day of the week (1: Sunday), days of the first week, first and last day
 * of the weekend, the hour cycle that the locale prefers ("h12" or "h23")]. */
INTL_FUNCTION(intl_date_facts) {
    (void)self;
    (void)argc;
    char locale[INTL_LONGEST_LOCALE];
    if (!intl_locale_get(ctx, argv[0], locale))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR, of_hours = U_ZERO_ERROR;
    UCalendar* calendar = ucal_open(NULL, 0, locale, UCAL_DEFAULT, &error);
    UDateTimePatternGenerator* generator = udatpg_open(locale, &of_hours);
    static const char* const cycles[] = {"h11", "h12", "h23", "h24"};
    const char* cycle = "h23";
    if (U_SUCCESS(of_hours)) {
        UDateFormatHourCycle found = udatpg_getDefaultHourCycle(generator, &of_hours);
        if (U_SUCCESS(of_hours))
            cycle = cycles[found];
        udatpg_close(generator);
    }
    if (U_FAILURE(error))
        return intl_error(ctx, error);
    JSValue list = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, list, 0,
                         JS_NewInt32(ctx, ucal_getAttribute(calendar, UCAL_FIRST_DAY_OF_WEEK)));
    JS_SetPropertyUint32(
        ctx, list, 1,
        JS_NewInt32(ctx, ucal_getAttribute(calendar, UCAL_MINIMAL_DAYS_IN_FIRST_WEEK)));
    JS_SetPropertyUint32(ctx, list, 2, JS_NewString(ctx, cycle));
    JSValue weekend = JS_NewArray(ctx);
    uint32_t count = 0;
    for (int day = UCAL_SUNDAY; day <= UCAL_SATURDAY; day++)
        if (ucal_getDayOfWeekType(calendar, (UCalendarDaysOfWeek)day, &error) != UCAL_WEEKDAY)
            JS_SetPropertyUint32(ctx, weekend, count++, JS_NewInt32(ctx, day));
    JS_SetPropertyUint32(ctx, list, 3, weekend);
    ucal_close(calendar);
    return list;
}

/* openDateRange(locale, zone, skeleton) */
INTL_FUNCTION(intl_open_date_range) {
    (void)self;
    (void)argc;
    request made;
    if (!request_get(ctx, argv, &made))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UDateIntervalFormat* format =
        udtitvfmt_open(made.locale, made.pattern.units, made.pattern.length, made.zone.units,
                       made.zone.length, &error);
    request_free(ctx, &made);
    return intl_box(ctx, &range_kind, format, error);
}

INTL_FUNCTION(intl_format_date_range) {
    (void)self;
    (void)argc;
    double begin, end;
    const UDateIntervalFormat* format = ph_box_content(ctx, argv[0], &range_kind);
    if (format == NULL || !date_get(ctx, argv[1], &begin) || !date_get(ctx, argv[2], &end))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UFormattedDateInterval* result = udtitvfmt_openResult(&error);
    udtitvfmt_formatToResult(format, begin, end, result, &error);
    JSValue formatted = U_FAILURE(error)
                            ? intl_error(ctx, error)
                            : intl_formatted(ctx, udtitvfmt_resultAsValue(result, &error));
    udtitvfmt_closeResult(result);
    return formatted;
}

/* canonicalZone(name): the name under which it is known, or null if there is no such zone. */
INTL_FUNCTION(intl_canonical_zone) {
    (void)self;
    (void)argc;
    UChar canonical[LONGEST_ZONE];
    UBool is_system = false;
    intl_text name;
    if (!intl_short_text_get(ctx, argv[0], LONGEST_ZONE, &name))
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    int32_t length = ucal_getCanonicalTimeZoneID(name.units, name.length, canonical, LONGEST_ZONE,
                                                 &is_system, &error);
    intl_text_free(ctx, &name);
    return U_FAILURE(error) || !is_system ? JS_NULL
                                          : JS_NewStringUTF16(ctx, canonical, (size_t)length);
}

static int32_t write_default_zone(void* subject, UChar* out, int32_t capacity, UErrorCode* error) {
    (void)subject;
    return ucal_getHostTimeZone(out, capacity, error);
}

INTL_FUNCTION(intl_default_zone) {
    (void)self;
    (void)argc;
    (void)argv;
    return intl_write(ctx, write_default_zone, NULL);
}
