/* Text from bytes in any encoding that ICU has. */
#include <stdlib.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include "bindings/box.h"
#include "bindings/bytes.h"
#include "icu.h"

static void close_converter(void* content) {
    ucnv_close(content);
}

static const ph_box_kind converter_kind = {"decoder of text", close_converter};

/* Whatever can't be decoded is U+FFFD; ICU's own choice depends on the encoding. */
static void replace_wrong_bytes(const void* context, UConverterToUnicodeArgs* args,
                                const char* bytes, int32_t length, UConverterCallbackReason reason,
                                UErrorCode* error) {
    static const UChar replacement = 0xfffd;
    (void)context;
    (void)bytes;
    (void)length;
    if (reason > UCNV_IRREGULAR)
        return; /* the converter is reset, closed or copied */
    *error = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(args, &replacement, 1, 0, error);
}

JSValue icu_open(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    UErrorCode error = U_ZERO_ERROR;
    UConverter* converter = ucnv_open(name, &error);
    JS_FreeCString(ctx, name);
    if (U_FAILURE(error))
        return JS_NULL;
    UConverterToUCallback on_wrong =
        ph_flag(ctx, argv[1]) ? UCNV_TO_U_CALLBACK_STOP : replace_wrong_bytes;
    ucnv_setToUCallBack(converter, on_wrong, NULL, NULL, NULL, &error);
    return ph_box(ctx, &converter_kind, converter);
}

/* The bytes piece by piece, each into at most as much room as the piece can need. */
static UErrorCode convert(UConverter* converter, const char* bytes, size_t length, bool is_last,
                          UChar** text, size_t* count) {
    enum { PIECE = 4096 };
    const char* end = bytes + length;
    size_t room = 0;
    UErrorCode error = U_ZERO_ERROR;
    *text = NULL;
    *count = 0;
    do {
        if (room - *count < PIECE) {
            room = room * 2 + PIECE + length;
            UChar* more = realloc(*text, room * sizeof(**text));
            if (more == NULL)
                return U_MEMORY_ALLOCATION_ERROR;
            *text = more;
        }
        UChar* at = *text + *count;
        error = U_ZERO_ERROR;
        ucnv_toUnicode(converter, &at, *text + room, &bytes, end, NULL, is_last, &error);
        *count = (size_t)(at - *text);
    } while (error == U_BUFFER_OVERFLOW_ERROR);
    return error;
}

JSValue icu_decode(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    bool is_last = ph_flag(ctx, argv[2]);
    UConverter* converter = ph_box_content(ctx, argv[0], &converter_kind);
    uint8_t* bytes;
    size_t length;
    if (converter == NULL || ph_bytes(ctx, argv[1], &bytes, &length) < 0)
        return JS_EXCEPTION;
    UChar* text;
    size_t count;
    UErrorCode error = convert(converter, (const char*)bytes, length, is_last, &text, &count);
    if (is_last || U_FAILURE(error))
        ucnv_reset(converter);
    JSValue result = U_FAILURE(error) ? JS_NULL : JS_NewStringUTF16(ctx, text, count);
    free(text);
    return result;
}
