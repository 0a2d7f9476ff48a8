/* Names of hosts in other letters than ASCII's, as the URL standard wants them: UTS 46 without
 * transitional processing; hyphens may be anywhere and lengths are not checked. */
#include <stdlib.h>
#include <unicode/uidna.h>

#include "icu.h"

enum { LONGEST_NAME = 1 << 20 }; /* code units; ICU counts with int32_t */

static const uint32_t allowed = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

typedef int32_t conversion(const UIDNA* idna, const UChar* name, int32_t length, UChar* dest,
                           int32_t capacity, UIDNAInfo* info, UErrorCode* error);

static JSValue convert_units(JSContext* ctx, conversion* convert, const uint16_t* name,
                             size_t length, bool is_lenient) {
    UErrorCode error = U_ZERO_ERROR;
    UIDNA* idna =
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII |
                            UIDNA_NONTRANSITIONAL_TO_UNICODE,
                        &error);
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t capacity = (int32_t)length * 2 + 64;
    UChar* out = NULL;
    int32_t written = 0;
    for (int tries = 0; tries < 2 && U_SUCCESS(error); tries++) {
        UChar* more = realloc(out, (size_t)capacity * sizeof(*out));
        if (more == NULL) {
            error = U_MEMORY_ALLOCATION_ERROR;
            break;
        }
        out = more;
        written = convert(idna, name, (int32_t)length, out, capacity, &info, &error);
        if (error != U_BUFFER_OVERFLOW_ERROR || tries == 1)
            break;
        error = U_ZERO_ERROR;
        capacity = written + 1;
        info = (UIDNAInfo)UIDNA_INFO_INITIALIZER;
    }
    bool works = U_SUCCESS(error) && (is_lenient || (info.errors & ~allowed) == 0);
    JSValue result = works ? JS_NewStringUTF16(ctx, out, (size_t)written) : JS_NULL;
    free(out);
    uidna_close(idna);
    return result;
}

static JSValue convert_name(JSContext* ctx, JSValueConst value, conversion* convert,
                            bool is_lenient) {
    size_t length;
    const uint16_t* name = JS_ToCStringLenUTF16(ctx, &length, value);
    if (name == NULL)
        return JS_EXCEPTION;
    JSValue result =
        length > LONGEST_NAME ? JS_NULL : convert_units(ctx, convert, name, length, is_lenient);
    JS_FreeCStringUTF16(ctx, name);
    return result;
}

JSValue icu_to_ascii(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return convert_name(ctx, argv[0], uidna_nameToASCII, false);
}

/* What can't be decoded stays as it is. */
JSValue icu_to_unicode(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return convert_name(ctx, argv[0], uidna_nameToUnicode, true);
}
